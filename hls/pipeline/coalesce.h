// SPDX-License-Identifier: Apache-2.0
// Loop coalescing: loops around each other become one, whose rounds are those of the innermost loop. So they can
// overlap across the rounds of the loops around it (overlap.h).
#ifndef HEDDLE_HLS_PIPELINE_COALESCE_H
#define HEDDLE_HLS_PIPELINE_COALESCE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

enum { COALESCE_MOST = 4, COALESCE_MOST_NESTS = 12 };  // loops that become one; nests that have numbers of their own

// A nest is an innermost loop and the loops around it. A plan says how many loops of each nest are to become one: the
// bits 2n and 2n + 1, for nest n, hold that number less 1. Nests from COALESCE_MOST_NESTS on share the last number.
typedef uint32_t coalesce_plan;

static inline unsigned coalesce_loops_of(coalesce_plan plan, unsigned nest) {
  return (plan >> 2 * (nest < COALESCE_MOST_NESTS ? nest : COALESCE_MOST_NESTS - 1) & 3) + 1;
}
static inline coalesce_plan coalesce_with(coalesce_plan plan, unsigned nest, unsigned loops) {
  return (plan & ~((coalesce_plan)3 << 2 * nest)) | (coalesce_plan)(loops - 1) << 2 * nest;
}

// How many loops of each nest may become one, at most COALESCE_MOST; 1: only the innermost. Each of them but the
// innermost contains exactly one loop. Nests are numbered in the order of their innermost loops in the function. A
// function with loops that LLVM's loop-simplify would change (several latches, several entries) has no nests. Removes
// the names of blocks that coalesce_loops_in reads.
coalesce_plan coalesce_nests(LLVMValueRef function);

// Makes one loop of the innermost loops of each nest, as many as the plan says at most. Returns whether any loops
// became one. Values are then in allocas, for LLVM's mem2reg, and blocks are in no order. Time: loops times blocks.
bool coalesce_loops(LLVMValueRef function, coalesce_plan plan);

// Why nests did not become one loop, by the source line where one of their loops begins. Texts live until the process
// ends.
struct coalesce_reasons {
  struct {
    unsigned line;
    const char *text;
  } items[COALESCE_MOST_NESTS];
  unsigned count;
};

// What a loop was made of: so many loops of the source, so many of them with an unknown number of rounds, and the
// product of the numbers of rounds of the others.
struct coalesced {
  unsigned loops, unknown;
  uint64_t rounds;
};
struct coalesced coalesce_loops_in(LLVMBasicBlockRef header);
// Whether a load or store belongs to a loop around the innermost one, so that most rounds do not make it.
bool coalesce_is_seldom(LLVMValueRef access);

#endif
