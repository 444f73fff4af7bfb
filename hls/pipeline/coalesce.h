// SPDX-License-Identifier: Apache-2.0
// Loop coalescing: loops around each other become one, whose rounds are those of the innermost loop. So they can
// overlap across the rounds of the loops around it (overlap.h).
#ifndef HEDDLE_HLS_PIPELINE_COALESCE_H
#define HEDDLE_HLS_PIPELINE_COALESCE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

enum { COALESCE_MOST = 4, COALESCE_MOST_NESTS = 12 };  // loops that become one; nests that are told from each other

// Of each nest of a function, by its number, how many loops are to become one: two bits, which are that less 1. The
// nests behind COALESCE_MOST_NESTS are as the last.
typedef uint32_t coalesce_plan;

static inline unsigned coalesce_loops_of(coalesce_plan plan, unsigned nest) {
  return (plan >> 2 * (nest < COALESCE_MOST_NESTS ? nest : COALESCE_MOST_NESTS - 1) & 3) + 1;
}
static inline coalesce_plan coalesce_with(coalesce_plan plan, unsigned nest, unsigned loops) {
  return (plan & ~((coalesce_plan)3 << 2 * nest)) | (coalesce_plan)(loops - 1) << 2 * nest;
}

// How many loops are around each other so that they may become one: each but the innermost has one loop in it, and what
// comes before and after that. COALESCE_MOST at most; 1: there is no loop around an innermost one. Every loop has one
// latch and is entered from one block (LLVM's loop-simplify); else there is none either. Takes names away that
// coalesce_loops_in would read. Nests have the order of their innermost loops in the function.
coalesce_plan coalesce_nests(LLVMValueRef function);

// Makes one loop of each nest's innermost loops, as many as a plan says at most. Returns whether there was one.
// Afterwards values are in allocas, which LLVM's mem2reg takes away; blocks have no order. Time goes by loops times
// blocks.
bool coalesce_loops(LLVMValueRef function, coalesce_plan plan);

// Why nests are not one loop, each by a line that one of its loops begins in. Texts live until the process ends.
struct coalesce_reasons {
  struct {
    unsigned line;
    const char *text;
  } items[COALESCE_MOST_NESTS];
  unsigned count;
};

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
