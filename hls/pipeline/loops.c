// SPDX-License-Identifier: Apache-2.0
// Finds the loops of a function: the regions of its graph, each with its latch and its parent.
#include <stdlib.h>

#include "hls/pipeline/maker.h"

static unsigned index_of(const struct maker *m, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < m->block_count; i++)
    if (m->order[i] == block)
      return i;
  return ~0u;
}

// A depth-first walk over the blocks.
struct walk {
  LLVMBasicBlockRef *seen, *post;  // in the order in which they are entered, and in postorder
  bool *open;                      // by the order in `seen`: the walk is still behind the block
  LLVMBasicBlockRef *from, *to;    // the ends of each edge that leads back
  unsigned seen_count, post_count, back_count;
};

static void visit(struct walk *w, LLVMBasicBlockRef block) {
  const unsigned own = w->seen_count;
  w->seen[w->seen_count++] = block;
  w->open[own] = true;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = LLVMGetNumSuccessors(end); i-- > 0;) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
    unsigned at = 0;
    while (at < w->seen_count && w->seen[at] != to)
      at++;
    if (at == w->seen_count) {
      visit(w, to);
    } else if (w->open[at]) {
      w->from[w->back_count] = block;
      w->to[w->back_count++] = to;
    }
  }
  w->open[own] = false;
  w->post[w->post_count++] = block;
}

static struct region *new_region(struct graph *graph, LLVMBasicBlockRef header) {
  struct region *r = graph_allocate(sizeof *r);
  r->id = graph->region_count;
  r->header = header;
  graph->regions = realloc(graph->regions, (graph->region_count + 1) * sizeof(struct region *));
  graph->regions[graph->region_count++] = r;
  return r;
}

// Puts the blocks in reverse postorder, and finds the edges that lead back. Returns these in the walk.
static struct walk walk_blocks(struct maker *m) {
  LLVMValueRef function = m->graph->function;
  const unsigned count = LLVMCountBasicBlocks(function);
  struct walk w = {.seen = graph_allocate(count * sizeof(LLVMBasicBlockRef)),
                   .post = graph_allocate(count * sizeof(LLVMBasicBlockRef)),
                   .from = graph_allocate((2 * count + 2) * sizeof(LLVMBasicBlockRef)),
                   .to = graph_allocate((2 * count + 2) * sizeof(LLVMBasicBlockRef)),
                   .open = graph_allocate(count * sizeof(bool))};
  visit(&w, LLVMGetEntryBasicBlock(function));
  m->block_count = w.post_count;
  m->order = graph_allocate(w.post_count * sizeof *m->order);
  for (unsigned i = 0; i < w.post_count; i++)
    m->order[i] = w.post[w.post_count - 1 - i];
  return w;
}

// The blocks of a loop: those that reach its latch without its header, which is one of them.
static void find_blocks(const struct maker *m, struct region *r) {
  bool *in = graph_allocate(m->block_count * sizeof *in);
  in[index_of(m, r->header)] = true;
  LLVMBasicBlockRef *work = graph_allocate((m->block_count + 1) * sizeof *work);
  unsigned work_count = 0;
  if (!in[index_of(m, r->latch)]) {
    in[index_of(m, r->latch)] = true;
    work[work_count++] = r->latch;
  }
  while (work_count != 0) {
    LLVMBasicBlockRef block = work[--work_count];
    for (unsigned i = 0; i < m->block_count; i++) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(m->order[i]);
      for (unsigned s = 0; s < LLVMGetNumSuccessors(end) && !in[i]; s++)
        if (LLVMGetSuccessor(end, s) == block) {
          in[i] = true;
          work[work_count++] = m->order[i];
        }
    }
  }
  r->blocks = graph_allocate(m->block_count * sizeof *r->blocks);
  for (unsigned i = 0; i < m->block_count; i++)
    if (in[i])
      r->blocks[r->block_count++] = m->order[i];
}

// The smallest loop around a loop, or the function's body.
static struct region *parent_of(const struct graph *graph, const struct region *r) {
  struct region *parent = graph->top;
  for (unsigned k = 1; k < graph->region_count; k++) {
    struct region *other = graph->regions[k];
    if (other != r && graph_is_in(other, r->header) && other->block_count < parent->block_count)
      parent = other;
  }
  return parent;
}

static void check_exits(struct maker *m, const struct region *r) {
  for (unsigned k = 0; k < r->block_count; k++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(r->blocks[k]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
      if (!graph_is_in(r, LLVMGetSuccessor(end, s)) && r->blocks[k] != r->latch)
        make_refuse(m, end, "a loop that is left in the middle");
  }
}

void make_loops(struct maker *m) {
  struct graph *graph = m->graph;
  const struct walk w = walk_blocks(m);
  graph->top = new_region(graph, m->order[0]);
  graph->top->blocks = m->order;
  graph->top->block_count = m->block_count;
  for (unsigned k = 0; k < w.back_count; k++) {
    for (unsigned i = 1; i < graph->region_count; i++)
      if (graph->regions[i]->header == w.to[k]) {
        make_refuse(m, LLVMGetBasicBlockTerminator(w.from[k]), "a loop with two ways back");
        return;
      }
    struct region *r = new_region(graph, w.to[k]);
    r->latch = w.from[k];
    r->made_of = coalesce_loops_in(r->header);
    find_blocks(m, r);
  }
  for (unsigned i = 1; i < graph->region_count; i++) {
    graph->regions[i]->parent = parent_of(graph, graph->regions[i]);
    check_exits(m, graph->regions[i]);
  }
}
