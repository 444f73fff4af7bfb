// SPDX-License-Identifier: Apache-2.0
// What a loop's counter is behind it, told without the counter: code generation can then do without one in the loop.
// Called by the kernel pass after optimisation, which unrolls loops and so makes a second counter beside the source's.
#ifndef HEDDLE_HLS_LOOP_COUNTS_H
#define HEDDLE_HLS_LOOP_COUNTS_H

#include <llvm-c/Core.h>

void loop_counts_tell(LLVMModuleRef module);

#endif
