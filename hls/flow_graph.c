// SPDX-License-Identifier: Apache-2.0
// Natural loops as LLVM finds them: from each jump back, what leads to it without passing the header. The order is a
// topological one of each loop by itself, in which the loops inside count as one block each.
#include "hls/flow_graph.h"

#include <stdlib.h>

static void *allocate(size_t count, size_t bytes) {
  void *memory = calloc(count + 1, bytes);
  if (!memory)
    abort();
  return memory;
}

static int compare(const void *a, const void *b) {
  const struct flow_node *x = a, *y = b;
  return (x->block > y->block) - (x->block < y->block);
}

static size_t find(const struct flow_graph *graph, LLVMBasicBlockRef block) {
  const struct flow_node key = {.block = block};
  const struct flow_node *found = bsearch(&key, graph->nodes, graph->count, sizeof key, compare);
  return (size_t)(found - graph->nodes);
}

static unsigned successor_count(const struct flow_graph *graph, size_t node) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(graph->nodes[node].block));
}

static size_t successor(const struct flow_graph *graph, size_t node, unsigned index) {
  return find(graph, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(graph->nodes[node].block), index));
}

// Depth first: an edge to a block whose walk is under way goes back.
static void walk(struct flow_graph *graph, size_t node) {
  graph->nodes[node].state = FLOW_UNDER_WAY;
  for (unsigned i = 0; i < successor_count(graph, node); i++) {
    const size_t next = successor(graph, node, i);
    if (graph->nodes[next].state == FLOW_NEW) {
      walk(graph, next);
    } else if (graph->nodes[next].state == FLOW_UNDER_WAY) {
      graph->nodes[node].ends_a_loop = true;
      graph->nodes[next].is_header = true;
    }
  }
  graph->nodes[node].state = FLOW_DONE;
  graph->nodes[node].finished_at = graph->reached;
  graph->finished[graph->reached++] = node;
}

// ---- loops

// Which blocks lead to a block: those of node n are from[start[n]] up to from[start[n + 1]].
struct predecessors {
  size_t *start, *from;
};

static struct predecessors find_predecessors(const struct flow_graph *graph) {
  size_t edges = 0;
  struct predecessors result = {.start = allocate(graph->count + 1, sizeof *result.start)};
  for (size_t i = 0; i < graph->reached; i++) {
    const size_t node = graph->finished[i];
    for (unsigned s = 0; s < successor_count(graph, node); s++, edges++)
      result.start[successor(graph, node, s) + 1]++;
  }
  for (size_t n = 0; n < graph->count; n++)
    result.start[n + 1] += result.start[n];
  size_t *next = allocate(graph->count, sizeof *next);
  result.from = allocate(edges, sizeof *result.from);
  for (size_t i = 0; i < graph->reached; i++) {
    const size_t node = graph->finished[i];
    for (unsigned s = 0; s < successor_count(graph, node); s++) {
      const size_t to = successor(graph, node, s);
      result.from[result.start[to] + next[to]++] = node;
    }
  }
  free(next);
  return result;
}

// The outermost loop so far that a block is in.
static size_t outermost(const struct flow_graph *graph, size_t node) {
  size_t loop = graph->nodes[node].loop;
  while (loop != FLOW_NONE && graph->nodes[loop].outer != FLOW_NONE)
    loop = graph->nodes[loop].outer;
  return loop;
}

// An edge goes back when the walk was done with the block it leads to only after the one it comes from.
static bool goes_back(const struct flow_graph *graph, size_t from, size_t to) {
  return graph->nodes[from].finished_at <= graph->nodes[to].finished_at;
}

// Loops inside this one are known. `pending` has room for every edge twice.
static void fill_loop(struct flow_graph *graph, const struct predecessors *edges, size_t header, size_t *pending) {
  const size_t entry = graph->finished[graph->reached - 1];
  size_t count = 0;
  graph->nodes[header].loop = header;
  for (size_t p = edges->start[header]; p < edges->start[header + 1]; p++)
    if (goes_back(graph, edges->from[p], header))
      pending[count++] = edges->from[p];
  while (count > 0) {
    size_t node = pending[--count];
    const size_t inner = outermost(graph, node);
    if (inner == header)
      continue;
    if (inner != FLOW_NONE) {
      graph->nodes[inner].outer = header;
      node = inner;
    } else {
      graph->nodes[node].loop = header;
    }
    graph->is_reducible = graph->is_reducible && node != entry;
    for (size_t p = edges->start[node]; p < edges->start[node + 1]; p++)
      pending[count++] = edges->from[p];
  }
}

static void find_loops(struct flow_graph *graph) {
  struct predecessors edges = find_predecessors(graph);
  size_t *pending = allocate(2 * edges.start[graph->count], sizeof *pending);
  for (size_t i = 0; i < graph->reached; i++)  // inner ones are done with first
    if (graph->nodes[graph->finished[i]].is_header)
      fill_loop(graph, &edges, graph->finished[i], pending);
  free(pending);
  free(edges.start);
  free(edges.from);
}

struct flow_graph flow_graph_open(LLVMValueRef function) {
  struct flow_graph graph = {.function = function, .is_reducible = true};
  const size_t count = LLVMCountBasicBlocks(function);
  graph.nodes = allocate(count, sizeof *graph.nodes);
  graph.finished = allocate(count, sizeof *graph.finished);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    graph.nodes[graph.count++] = (struct flow_node){.block = b, .loop = FLOW_NONE, .outer = FLOW_NONE};
  if (graph.count > 0) {
    qsort(graph.nodes, graph.count, sizeof *graph.nodes, compare);
    walk(&graph, find(&graph, LLVMGetEntryBasicBlock(function)));
    find_loops(&graph);
  }
  return graph;
}

void flow_graph_close(struct flow_graph *graph) {
  free(graph->nodes);
  free(graph->finished);
}

// ---- order

static bool is_in(const struct flow_graph *graph, size_t node, size_t loop) {
  size_t at = graph->nodes[node].loop;
  while (at != loop && at != FLOW_NONE)
    at = graph->nodes[at].outer;
  return at == loop;
}

bool flow_graph_is_header(const struct flow_graph *graph, LLVMBasicBlockRef block) {
  return graph->nodes[find(graph, block)].is_header;
}

LLVMBasicBlockRef flow_graph_header_of(const struct flow_graph *graph, LLVMBasicBlockRef block) {
  const struct flow_node *node = &graph->nodes[find(graph, block)];
  return node->state == FLOW_DONE && node->loop != FLOW_NONE ? graph->nodes[node->loop].block : NULL;
}

bool flow_graph_is_in_loop(const struct flow_graph *graph, LLVMBasicBlockRef block, LLVMBasicBlockRef header) {
  return is_in(graph, find(graph, block), find(graph, header));
}

// What stands for a block among the members of a loop: itself, or the loop inside that it is in.
static size_t member(const struct flow_graph *graph, size_t node, size_t loop) {
  size_t at = graph->nodes[node].loop;
  if (at == loop)
    return node;
  while (graph->nodes[at].outer != loop)
    at = graph->nodes[at].outer;
  return at;
}

struct order {
  struct flow_graph *graph;
  bool *seen;
  size_t *blocks, first;  // filled from the end, down to blocks[first]
};

static void put_member(struct order *order, size_t loop, size_t node);

static void put_successors(struct order *order, size_t loop, size_t node, size_t within) {
  for (unsigned s = successor_count(order->graph, node); s-- > 0;) {  // the first comes next in the code
    const size_t to = successor(order->graph, node, s);
    if (to != loop && is_in(order->graph, to, loop) && (within == FLOW_NONE || !is_in(order->graph, to, within)))
      put_member(order, loop, member(order->graph, to, loop));
  }
}

// A member of a loop, in front of all that follows it there.
static void put_member(struct order *order, size_t loop, size_t node) {
  if (order->seen[node])
    return;
  order->seen[node] = true;
  const bool is_loop = order->graph->nodes[node].is_header && node != loop;
  if (!is_loop) {
    put_successors(order, loop, node, FLOW_NONE);
    order->blocks[--order->first] = node;
    return;
  }
  for (size_t i = 0; i < order->graph->reached; i++)
    if (is_in(order->graph, order->graph->finished[i], node))
      put_successors(order, loop, order->graph->finished[i], node);
  order->seen[node] = false;  // now as the header among its own members
  put_member(order, node, node);
}

void flow_graph_lay_out(struct flow_graph *graph) {
  if (graph->reached == 0)
    return;
  struct order order = {.graph = graph, .first = graph->reached};
  order.seen = allocate(graph->count, sizeof *order.seen);
  order.blocks = allocate(graph->reached, sizeof *order.blocks);
  put_member(&order, FLOW_NONE, graph->finished[graph->reached - 1]);
  for (size_t i = 1; i < graph->reached; i++)
    LLVMMoveBasicBlockAfter(graph->nodes[order.blocks[i]].block, graph->nodes[order.blocks[i - 1]].block);
  free(order.seen);
  free(order.blocks);
}
