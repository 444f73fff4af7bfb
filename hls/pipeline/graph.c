// SPDX-License-Identifier: Apache-2.0
// Makes the graph of a kernel from LLVM's IR behind prepare.c: every loop has one latch, which is its only exit.
// Branches become conditions: each block has one within its region, phis of joins become selects, and only what touches
// memory or other lanes looks at them.
#include "hls/pipeline/graph.h"

#include <stdlib.h>

#include "contract/device_map.h"
#include "contract/log2.h"
#include "hls/pipeline/calls.h"
#include "hls/pipeline/maker.h"

unsigned graph_site_bits(const struct graph *graph) {
  return graph->site_count > 2 ? heddle_log2_ceiling(graph->site_count) : 1;
}

unsigned graph_argument_word(unsigned offset) {
  return HEDDLE_PACKET_WORDS + offset / 4;
}

bool graph_asks_for_ids(const struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (node->wanted && node->op >= OP_LOCAL_ID && node->op <= OP_LANE)
      return true;
  }
  return false;
}

bool graph_uses_packet(const struct graph *graph) {
  for (unsigned i = 0; i < graph->node_count; i++) {
    const struct node *node = graph->nodes[i];
    if (node->wanted && node->op == OP_WORD && node->number != PACKET_ADDRESS)
      return true;
  }
  return false;
}

bool graph_is_once(const struct graph *graph) {
  return graph->is_of_one && graph->source->is_autorun;
}

bool graph_is_of_memory(const struct node *node) {
  return node->op == OP_LOAD || node->op == OP_STORE;
}

bool graph_is_element(const struct node *node) {
  return node->op == OP_ELEMENT || node->op == OP_SET_ELEMENT;
}

bool graph_encloses(const struct region *outer, const struct region *inner) {
  for (; inner; inner = inner->parent)
    if (inner == outer)
      return true;
  return false;
}

unsigned graph_depth(const struct region *r) {
  unsigned depth = 0;
  for (r = r->parent; r; r = r->parent)
    depth++;
  return depth;
}

bool graph_is_in(const struct region *r, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < r->block_count; i++)
    if (r->blocks[i] == block)
      return true;
  return false;
}

const struct region *graph_region_of(const struct graph *graph, LLVMBasicBlockRef block) {
  const struct region *innermost = graph->top;
  for (unsigned i = 0; i < graph->region_count; i++)
    if (graph_is_in(graph->regions[i], block) && graph_depth(graph->regions[i]) > graph_depth(innermost))
      innermost = graph->regions[i];
  return innermost;
}

static struct node *edge_condition(struct maker *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  for (unsigned i = 0; i < m->edge_count; i++)
    if (m->edges[i].from == from && m->edges[i].to == to)
      return m->edges[i].condition;
  return NULL;
}

static void add_edge(struct maker *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to, struct node *condition) {
  if ((m->edge_count & (m->edge_count - 1)) == 0)
    m->edges = realloc(m->edges, (m->edge_count != 0 ? 2 * m->edge_count : 1) * sizeof *m->edges);
  m->edges[m->edge_count++] = (struct edge){from, to, condition};
}

// The condition under which a block is reached, within its region: that of any edge to it.
static struct node *reached(struct maker *m, LLVMBasicBlockRef block) {
  struct node *condition = NULL;
  for (unsigned i = 0; i < m->edge_count; i++)
    if (m->edges[i].to == block && m->edges[i].condition)
      condition = !condition ? m->edges[i].condition : build_or(&m->builder, condition, m->edges[i].condition);
  return condition;
}

// What a phi gets from the edges that are known.
static struct node *joined(struct maker *m, LLVMValueRef phi, LLVMBasicBlockRef except) {
  const unsigned count = LLVMCountIncoming(phi);
  struct node *node = NULL;
  for (unsigned i = count; i-- > 0;) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
    struct node *condition = edge_condition(m, from, LLVMGetInstructionParent(phi));
    if (from == except || !condition || LLVMIsUndef(incoming) || LLVMIsPoison(incoming))
      continue;
    struct node *v = make_value(m, incoming);
    if (!v)
      return NULL;
    node = !node ? v : build_select(&m->builder, condition, v, node);
  }
  if (!node) {
    const unsigned width = make_width_of(m, LLVMTypeOf(phi));
    node = width != 0 ? make_constant(m, width, 0) : NULL;
  }
  return node;
}

static void make_region(struct maker *m, struct region *r);

static void make_loop(struct maker *m, struct region *parent, struct region *loop) {
  struct builder *b = &m->builder;
  struct node *condition = reached(m, loop->header);
  if (!condition)
    condition = make_constant(m, 1, 1);
  loop->enter = build_and(b, parent->mask, condition);
  for (LLVMValueRef i = LLVMGetFirstInstruction(loop->header); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    struct node *initial = joined(m, i, loop->latch);
    if (!initial) {
      make_refuse_type(m, i, LLVMTypeOf(i));
      return;
    }
    list_add(&loop->initial, initial);
  }
  make_region(m, loop);
  b->region = parent;
  build_ordered(b, OP_LOOP, 0, 0, 0, NULL)->loop = loop;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->latch);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) != loop->header)
      add_edge(m, loop->latch, LLVMGetSuccessor(end, i), condition);
}

static void make_block(struct maker *m, struct region *r, LLVMBasicBlockRef block) {
  struct builder *b = &m->builder;
  struct node *condition = block == r->header ? make_constant(m, 1, 1) : reached(m, block);
  if (!condition)
    condition = make_constant(m, 1, 0);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && m->status == STATUS_OK; i = LLVMGetNextInstruction(i)) {
    b->line = make_line_of(i);
    m->condition = condition;
    if (LLVMIsAPHINode(i)) {
      if (block == r->header && r->parent)
        continue;
      struct node *node = joined(m, i, NULL);
      if (!node)
        make_refuse_type(m, i, LLVMTypeOf(i));
      make_set_value(m, i, node);
    } else if (!LLVMIsATerminatorInst(i)) {
      make_set_value(m, i, make_instruction(m, i));
    } else if (LLVMGetInstructionOpcode(i) == LLVMBr) {
      const bool conditional = LLVMIsConditional(i);
      struct node *taken = conditional ? make_value(m, LLVMGetCondition(i)) : make_constant(m, 1, 1);
      for (unsigned s = 0; s < LLVMGetNumSuccessors(i); s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, s);
        struct node *way = s == 0 ? taken : build_not(b, taken);
        if (block == r->latch && to == r->header)
          r->again = build_and(b, r->mask, way);
        else if (block != r->latch)
          add_edge(m, block, to, build_and(b, condition, way));
      }
    } else if (LLVMGetInstructionOpcode(i) != LLVMRet && LLVMGetInstructionOpcode(i) != LLVMUnreachable) {
      make_refuse(m, i, "a jump that pipelines do not have");
    }
  }
}

// ---- loops with barriers

struct node *graph_condition(const struct region *loop) {
  const struct node *again = loop->again;
  if (!again || again->op != OP_AND)
    return NULL;
  for (unsigned i = 0; i < 2; i++)
    if (again->arguments[i] == loop->mask)
      return again->arguments[!i];
  return NULL;
}

// Whether a value is the same in all sub-groups of a work-group, as far as can be told: nothing that it is made of,
// also in earlier rounds, differs. `seen` has a mark for each node that was looked at.
static bool is_of_group(const struct node *node, bool *seen) {
  if (seen[node->id])
    return true;
  seen[node->id] = true;
  switch (node->op) {
    case OP_CONSTANT:
    case OP_WORD:
    case OP_FIXED:
    case OP_FIXED_BAD:
    case OP_GROUP_ID:
    case OP_GROUP_BASE:
    case OP_GROUP_SIZE:
    case OP_TOTAL:
      return true;
    case OP_PHI: {
      const struct region *r = node->region;
      unsigned at = 0;
      while (at < r->phis.count && r->phis.items[at] != node)
        at++;
      return at < r->next.count && is_of_group(r->initial.items[at], seen) && is_of_group(r->next.items[at], seen);
    }
    case OP_MASK:
    case OP_LOCAL_ID:
    case OP_SUB_GROUP:
    case OP_SUB_GROUP_SIZE:
    case OP_LANE:
    case OP_OUT:
    case OP_SCAN:
    case OP_FSCAN:
    case OP_BELOW:
    case OP_LAST:
    case OP_SHUFFLE:
    case OP_BALLOT:
    case OP_LOAD:
    case OP_ELEMENT:
    case OP_ATOMIC:
    case OP_PIPE_READ:
    case OP_PIPE_WRITE:
    case OP_CARRY:
      return false;
    default:
      for (unsigned i = 0; i < node->count; i++)
        if (!is_of_group(node->arguments[i], seen))
          return false;
      return true;
  }
}

bool graph_is_of_group(const struct graph *graph, const struct node *node) {
  bool *seen = calloc(graph->node_count, sizeof *seen);
  if (!seen)
    abort();
  const bool is = is_of_group(node, seen);
  free(seen);
  return is;
}

// Whether all sub-groups of a work-group go around a loop equally often without being told. Within another loop they do
// not: a sub-group may go around that one without any lane, with the others, and would leave this one at once.
static bool same_for_group(const struct graph *graph, const struct region *r) {
  if (r->parent->parent || r->enter != r->parent->mask)
    return false;
  if (r->again == r->mask)
    return true;
  const struct node *condition = graph_condition(r);
  return condition && graph_is_of_group(graph, condition);
}

// A sub-group of which no lane goes on has to wait at the loop's barriers all the same, while another's do: a
// work-group leaves a loop with barriers together.
static void go_together(struct maker *m, struct region *r) {
  struct builder *b = &m->builder;
  struct node *any =
      build_ordered(b, OP_SCAN, 32, LANE_OR, 2, (struct node *[]){build_resize(b, r->again, 32, false), r->again});
  struct node *total = build_node(b, OP_LAST, 32, 0, 1, &any);
  r->go = build_slice(b, build_ordered(b, OP_TOTAL, 32, LANE_OR, 1, &total), 0, 1);
}

// The line of the jump to a loop from in front of it.
static unsigned line_of_entry(const struct region *r) {
  unsigned line = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(r->header)); use && line == 0;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef jump = LLVMGetUser(use);
    if (LLVMIsATerminatorInst(jump) && LLVMGetInstructionParent(jump) != r->latch)
      line = make_line_of(jump);
  }
  return line;
}

// Where a loop stands in the source: the jump back has the line of its statement, where LLVM has kept it, and else the
// jump to it.
static unsigned line_of_loop(const struct region *r) {
  unsigned line = r->latch ? make_line_of(LLVMGetBasicBlockTerminator(r->latch)) : 0;
  if (line == 0)
    line = line_of_entry(r);
  for (unsigned i = 0; i < r->block_count && line == 0; i++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(r->blocks[i]); at && line == 0; at = LLVMGetNextInstruction(at))
      line = make_line_of(at);
  return line;
}

static void make_region(struct maker *m, struct region *r) {
  struct graph *graph = m->graph;
  struct builder *b = &m->builder;
  b->region = r;
  r->line = r->parent ? line_of_loop(r) : 0;
  if (r != graph->top)
    r->mask = build_node(b, OP_MASK, 1, 0, 0, NULL);
  for (LLVMValueRef i = LLVMGetFirstInstruction(r->header); r->parent && i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    const unsigned width = make_width_of(m, LLVMTypeOf(i));
    if (width == 0) {
      make_refuse_type(m, i, LLVMTypeOf(i));
      return;
    }
    b->line = make_line_of(i);
    struct node *phi = build_node(b, OP_PHI, width, r->phis.count, 0, NULL);
    phi->most = make_most_of_counter(i, r->latch);
    list_add(&r->phis, phi);
    make_set_value(m, i, phi);
  }
  for (unsigned i = 0; i < r->block_count && m->status == STATUS_OK; i++) {
    LLVMBasicBlockRef block = r->blocks[i];
    struct region *child = NULL;
    for (unsigned k = 0; k < graph->region_count; k++)
      if (graph->regions[k]->parent == r && graph_is_in(graph->regions[k], block))
        child = graph->regions[k];
    if (!child)
      make_block(m, r, block);
    else if (child->header == block)
      make_loop(m, r, child);
    b->region = r;
  }
  if (!r->parent || m->status != STATUS_OK)
    return;
  for (LLVMValueRef i = LLVMGetFirstInstruction(r->header); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      if (LLVMGetIncomingBlock(i, k) == r->latch) {
        struct node *next = make_value(m, LLVMGetIncomingValue(i, k));
        if (!next)
          make_refuse_type(m, i, LLVMTypeOf(i));
        list_add(&r->next, next);
      }
  if (!r->again)
    make_refuse(m, NULL, "a loop has no latch");
  else if (r->waits && !same_for_group(graph, r))
    go_together(m, r);
}

// ---- the whole

enum status graph_make(struct graph *graph) {
  struct maker m = {.graph = graph, .status = STATUS_OK};
  m.builder.graph = graph;
  make_loops(&m);
  if (m.status != STATUS_OK)
    return m.status;
  m.builder.region = graph->top;
  graph->top->mask = build_node(&m.builder, OP_MASK, 1, 0, 0, NULL);
  m.condition = make_constant(&m, 1, 1);
  make_arguments(&m);
  if (m.status == STATUS_OK)
    make_region(&m, graph->top);
  if (m.status != STATUS_OK)
    return m.status;
  graph->has_meetings = true;
  graph_prune(graph);
  return STATUS_OK;
}
