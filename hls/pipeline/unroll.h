// SPDX-License-Identifier: Apache-2.0
// Unrolling of loops that the source says nothing of.
#ifndef HEDDLE_HLS_PIPELINE_UNROLL_H
#define HEDDLE_HLS_PIPELINE_UNROLL_H

#include <llvm-c/Core.h>

// Asks LLVM for `count` rounds in one, of each innermost loop of a function that has no hint of its own. To be called
// before optimisation, when everything that the function calls is part of it.
void unroll_ask(LLVMValueRef function, unsigned count);

#endif
