// SPDX-License-Identifier: Apache-2.0
// Loops of a function in LLVM's IR: which one is around a block, and how large it is.
#ifndef HEDDLE_HLS_PIPELINE_LOOP_SIZE_H
#define HEDDLE_HLS_PIPELINE_LOOP_SIZE_H

#include <stdint.h>

#include "hls/pipeline/flow.h"

// A loop of a function, by the numbers of its blocks.
struct loop {
  size_t header, latch, size;
};

// Of the loops that hold a block, the smallest. False: it is in none.
bool loop_find_innermost(const struct flow *flow, size_t block, struct loop *innermost);

// The constant that a round of a loop adds to a phi of its header; NULL: the phi is no such counter. `next` is the
// phi's value from the latch.
LLVMValueRef loop_step(LLVMValueRef phi, LLVMValueRef next);

struct loop_size {
  uint64_t rounds;  // of a loop that counts from a number to a number; 0: not known
  uint64_t instructions;
  bool computes_floats;
};
// Whether an instruction computes with floats. Those that only move them do not: loads, stores, phis, bitcasts, and
// those that insert or extract elements.
bool loop_computes_float(LLVMValueRef instruction);

struct loop_size loop_measure(const struct flow *flow, const struct loop *loop);

#endif
