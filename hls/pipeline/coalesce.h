// SPDX-License-Identifier: Apache-2.0
// Loop coalescing: loops around each other become one, whose rounds are those of the innermost loop. So they can
// overlap across the rounds of the loops around it (overlap.h).
#ifndef HEDDLE_HLS_PIPELINE_COALESCE_H
#define HEDDLE_HLS_PIPELINE_COALESCE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

enum { COALESCE_MOST = 4 };  // loops that become one

// How many loops are around each other so that they may become one: each but the innermost has one loop in it, and what
// comes before and after that. Of several such nests the largest number, COALESCE_MOST at most; 1: there is none. Every
// loop has one latch and is entered from one block (LLVM's loop-simplify); else there is none either. Takes names away
// that coalesce_loops_in would read.
unsigned coalesce_nest(LLVMValueRef function);

// Makes one loop of each nest's innermost loops, `most` at most. Returns whether there was one. Afterwards values are
// in allocas, which LLVM's mem2reg takes away; blocks have no order. Time goes by loops times blocks.
bool coalesce_loops(LLVMValueRef function, unsigned most);

// What a loop is made of, by its header: loops of the source, how many of them have a number of rounds that is not
// known, and the product of those of the others.
struct coalesced {
  unsigned loops, unknown;
  uint64_t rounds;
};
struct coalesced coalesce_loops_in(LLVMBasicBlockRef header);
// Whether a load or store is one of a loop around the innermost one: in most rounds it is not made.
bool coalesce_is_seldom(LLVMValueRef access);

#endif
