// SPDX-License-Identifier: Apache-2.0
// The loops of a function in LLVM's IR, and which are around which.
#ifndef HEDDLE_HLS_PIPELINE_NESTS_H
#define HEDDLE_HLS_PIPELINE_NESTS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "hls/pipeline/loop_size.h"

enum { NESTS_MOST_LOOPS = 64 };

struct nested_loop {
  struct loop loop;
  bool *in;                    // by number of a block
  struct nested_loop *parent;  // the smallest loop around it; NULL: none
  unsigned children;
};

struct loops {
  struct flow flow;
  struct nested_loop items[NESTS_MOST_LOOPS];
  size_t count;
};

// False: a loop has several latches, or is entered at several blocks, or there are too many loops. Whoever calls frees
// them in either case. Time goes by loops times blocks.
bool nests_find(LLVMValueRef function, struct loops *loops);
void nests_free(struct loops *loops);

// The loops around an innermost one, and that one, of which each but the innermost has one loop in it: `most` at most,
// the outermost first. Returns how many there are.
unsigned nests_around(const struct nested_loop *innermost, unsigned most, const struct nested_loop **nest);

#endif
