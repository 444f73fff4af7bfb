// SPDX-License-Identifier: Apache-2.0
// For loops of one block that end when a counter reaches a limit: uses of the counters behind the loop become their
// final values, and where a pointer walks along with the counter, the loop's test compares the pointer. Then code
// generation needs no register for the counter.
#ifndef HEDDLE_HLS_LOOP_COUNTS_H
#define HEDDLE_HLS_LOOP_COUNTS_H

#include <llvm-c/Core.h>

// Called by the kernel pass after optimisation: unrolling makes a second counter beside the source's.
void loop_counts_tell(LLVMModuleRef module);

#endif
