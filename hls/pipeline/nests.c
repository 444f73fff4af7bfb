// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/nests.h"

#include <stdlib.h>

#include "hls/pipeline/graph.h"

void nests_free(struct loops *loops) {
  for (size_t i = 0; i < loops->count; i++)
    free(loops->items[i].in);
  flow_free(&loops->flow);
}

static bool add_loop(struct loops *loops, size_t header, size_t latch) {
  if (loops->count == NESTS_MOST_LOOPS)
    return false;
  for (size_t i = 0; i < loops->count; i++)
    if (loops->items[i].loop.header == header)
      return false;
  struct nested_loop *loop = &loops->items[loops->count++];
  *loop = (struct nested_loop){.loop = {header, latch, 0}, .in = graph_allocate(loops->flow.count * sizeof(bool))};
  flow_mark_loop(&loops->flow, header, latch, loop->in);
  for (size_t i = 0; i < loops->flow.count; i++)
    loop->loop.size += loop->in[i];
  return true;
}

static void find_parents(struct loops *loops) {
  for (size_t i = 0; i < loops->count; i++) {
    struct nested_loop *loop = &loops->items[i];
    for (size_t k = 0; k < loops->count; k++) {
      struct nested_loop *around = &loops->items[k];
      if (k != i && around->in[loop->loop.header] && (!loop->parent || around->loop.size < loop->parent->loop.size))
        loop->parent = around;
    }
    if (loop->parent)
      loop->parent->children++;
  }
}

bool nests_find(LLVMValueRef function, struct loops *loops) {
  *loops = (struct loops){.count = 0};
  flow_find(function, &loops->flow);
  for (size_t from = 0; from < loops->flow.count; from++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(loops->flow.blocks[from]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      const size_t to = flow_number(&loops->flow, LLVMGetSuccessor(end, s));
      if (to <= from && (!flow_dominates(&loops->flow, to, from) || !add_loop(loops, to, from)))
        return false;
    }
  }
  find_parents(loops);
  return true;
}

unsigned nests_around(const struct nested_loop *innermost, unsigned most, const struct nested_loop **nest) {
  unsigned depth = 1;
  for (const struct nested_loop *l = innermost->parent; l && l->children == 1 && depth < most; l = l->parent)
    depth++;
  const struct nested_loop *l = innermost;
  for (unsigned k = depth; k-- > 0; l = l->parent)
    nest[k] = l;
  return depth;
}
