// SPDX-License-Identifier: Apache-2.0
// Operations on vectors that LLVM's scalarizer does not lower.
#ifndef HEDDLE_HLS_PIPELINE_VECTORS_H
#define HEDDLE_HLS_PIPELINE_VECTORS_H

#include <llvm-c/Core.h>

// Replaces bitcasts between vectors of different element counts (as_uint4 of a uchar16, uint of a uchar4) and
// reductions by operations on elements. To be followed by the scalarizer.
void vectors_take_apart(LLVMModuleRef module);

#endif
