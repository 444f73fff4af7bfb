// SPDX-License-Identifier: Apache-2.0
// What LLVM's scalarizer leaves of vectors.
#ifndef HEDDLE_HLS_PIPELINE_VECTORS_H
#define HEDDLE_HLS_PIPELINE_VECTORS_H

#include <llvm-c/Core.h>

// Reinterpretations (as_uint4 of uchar16, of uint of uchar4) and reductions of vectors become operations on elements.
// To be followed by the scalarizer.
void vectors_take_apart(LLVMModuleRef module);

#endif
