// SPDX-License-Identifier: Apache-2.0
// If-conversion: a hyperblock (blocks that branch and join, entered at one block) becomes straight-line code. Pure
// instructions run unconditionally; instructions with effects keep the condition of the block that they were in. A
// pipeline computes every branch anyway (build.h), so this costs nothing there, and instructions of branches that
// exclude each other, which stand in one block now, can be merged (exclusive.h).
#ifndef HEDDLE_HLS_PIPELINE_STRAIGHT_H
#define HEDDLE_HLS_PIPELINE_STRAIGHT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/pipeline/flow.h"

enum { STRAIGHT_MOST_BLOCKS = 256 };

// A hyperblock, in topological order. Its blocks are entered at the first one alone, contain no loop, and end in
// branches. Any of them may leave it, also back to the first block.
struct straight {
  LLVMBasicBlockRef blocks[STRAIGHT_MOST_BLOCKS];
  unsigned count, dominators[STRAIGHT_MOST_BLOCKS];
  // reaches[a][b]: control may go from block a to block b. Two blocks of which neither reaches the other exclude each
  // other. No block reaches itself.
  bool reaches[STRAIGHT_MOST_BLOCKS][STRAIGHT_MOST_BLOCKS];

  // From straight_begin to straight_end:
  LLVMBasicBlockRef merged;                       // the straight-line code; its first block
  LLVMBuilderRef builder;                         // at the end of that code
  LLVMValueRef conditions[STRAIGHT_MOST_BLOCKS];  // under which a block runs; NULL: not computed yet
  LLVMValueRef ways[STRAIGHT_MOST_BLOCKS][2];     // under which an edge out of a block is taken; NULL: the same
};

// Finds the largest hyperblock that begins at a block, given by its number in `flow`.
void straight_find(struct straight *s, const struct flow *flow, size_t first);
// Ends the hyperblock before the first block behind number `last` that every path from the first block passes, if there
// is one.
void straight_cut(struct straight *s, unsigned last);
// The nearest common dominator of two blocks, which may be one of them. All by their numbers.
unsigned straight_dominator(const struct straight *s, unsigned a, unsigned b);

// Whether an instruction has effects: it is not pure, and no phi or branch.
bool straight_has_effects(LLVMValueRef instruction);

// Begins the straight-line code. Until straight_end, the functions below move instructions to its end, one after the
// other, each after its operands.
void straight_begin(struct straight *s);
// Moves a value and its operands there, as far as they are pure, and returns it. Operands with effects have to be there
// already.
LLVMValueRef straight_take(struct straight *s, LLVMValueRef value);
// The condition (i1) under which a block runs.
LLVMValueRef straight_condition(struct straight *s, unsigned block);
// The disjunction of two conditions. The first may be NULL, for none yet.
LLVMValueRef straight_or(struct straight *s, LLVMValueRef first, LLVMValueRef second);
// Moves an instruction there that is to run under a condition alone. Its value is poison where that does not hold.
void straight_take_under(struct straight *s, LLVMValueRef instruction, LLVMValueRef condition);
// Moves the rest, and builds the branches out of the hyperblock. Deletes its blocks but the first, which now leads to
// the straight-line code.
void straight_end(struct straight *s);

#endif
