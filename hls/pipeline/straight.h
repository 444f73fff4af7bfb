// SPDX-License-Identifier: Apache-2.0
// Blocks that branch and join as one straight line: all is computed that one of them may want, under no condition, and
// what has effects is under the condition of the block that it was in. So hardware has them in any case; here what is
// in branches that exclude each other can be made one.
#ifndef HEDDLE_HLS_PIPELINE_STRAIGHT_H
#define HEDDLE_HLS_PIPELINE_STRAIGHT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/pipeline/flow.h"

enum { STRAIGHT_MOST_BLOCKS = 256 };

// Blocks that are entered at the first one alone and hold no loop, each behind those that lead to it. They end in
// branches, and are left by any of them, also to the first one.
struct straight {
  LLVMBasicBlockRef blocks[STRAIGHT_MOST_BLOCKS];
  unsigned count, dominators[STRAIGHT_MOST_BLOCKS];
  // reaches[a][b]: whether b may come behind a; a itself does not. Neither of two: they exclude each other.
  bool reaches[STRAIGHT_MOST_BLOCKS][STRAIGHT_MOST_BLOCKS];

  LLVMBasicBlockRef line;                         // where it begins
  LLVMBuilderRef builder;                         // at its end
  LLVMValueRef conditions[STRAIGHT_MOST_BLOCKS];  // of blocks, once somebody asked
  LLVMValueRef ways[STRAIGHT_MOST_BLOCKS][2];     // the same of their ends
};

// The largest such of a function that begins at a block, by its number.
void straight_find(struct straight *s, const struct flow *flow, size_t first);
// Leaves out what is behind a block that all of them up to `last` lead to, and that block, if there is one.
void straight_cut(struct straight *s, unsigned last);
// The nearest block that two of them come behind, or that is one of the two.
unsigned straight_dominator(const struct straight *s, unsigned a, unsigned b);

// What is neither pure nor a phi nor a branch.
bool straight_has_effects(LLVMValueRef instruction);

// Begins the line. Until it ends, instructions are taken to it one after the other by the functions below, each behind
// all that it is made of.
void straight_begin(struct straight *s);
// Takes what a value is made of, and the value, if it is pure. What has effects and is in it has to be there.
LLVMValueRef straight_take(struct straight *s, LLVMValueRef value);
// Whether a block is carried out.
LLVMValueRef straight_condition(struct straight *s, unsigned block);
// Whether one of two conditions holds, of which the first may be NULL: there is none yet.
LLVMValueRef straight_or(struct straight *s, LLVMValueRef first, LLVMValueRef second);
// Takes an instruction with effects, or whatever is to be under a condition. Uses of its value then are of that.
void straight_take_under(struct straight *s, LLVMValueRef instruction, LLVMValueRef condition);
// Takes all that is left, and the branches to other blocks. The blocks but the first are gone.
void straight_end(struct straight *s);

#endif
