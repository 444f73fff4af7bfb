// SPDX-License-Identifier: Apache-2.0
// The loops of a function in LLVM's IR, as a tree.
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

// Finds the loops. False: a loop has several latches or several entries, or there are more than NESTS_MOST_LOOPS. The
// caller calls nests_free in either case. Time: loops times blocks.
bool nests_find(LLVMValueRef function, struct loops *loops);
void nests_free(struct loops *loops);

// The nest of an innermost loop: that loop, and the loops around it as long as each contains one loop alone. Writes
// `most` loops at most, the outermost first, and returns their number.
unsigned nests_around(const struct nested_loop *innermost, unsigned most, const struct nested_loop **nest);

#endif
