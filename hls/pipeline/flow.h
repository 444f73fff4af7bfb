// SPDX-License-Identifier: Apache-2.0
// Blocks, dominators and loops of a function.
#ifndef HEDDLE_HLS_PIPELINE_FLOW_H
#define HEDDLE_HLS_PIPELINE_FLOW_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

// The blocks that can be reached, each behind all that lead to it but for those that lead back. Numbers of blocks are
// places in this order; FLOW_NONE is none.
struct flow {
  LLVMBasicBlockRef *blocks;
  size_t count;
  size_t *dominators;  // of each block the nearest; of the first, itself
  struct flow_names *names;
};

#define FLOW_NONE ((size_t)-1)

void flow_find(LLVMValueRef function, struct flow *flow);
void flow_free(struct flow *flow);

size_t flow_number(const struct flow *flow, LLVMBasicBlockRef block);
bool flow_dominates(const struct flow *flow, size_t by, size_t block);

// Marks the blocks of the loop of header and latch: those that reach the latch without the header, which is one of
// them. in_loop has flow->count elements.
void flow_mark_loop(const struct flow *flow, size_t header, size_t latch, bool *in_loop);

#endif
