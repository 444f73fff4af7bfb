// SPDX-License-Identifier: Apache-2.0
// Misaligned accesses: their alignment is below their size. They come of packed structures, and of LLVM loading two
// elements of a vector at once.
#ifndef HEDDLE_HLS_PIPELINE_MISALIGNED_H
#define HEDDLE_HLS_PIPELINE_MISALIGNED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// A memory accesses one word of 32 bits. Replaces each load and store of a scalar that may cross a word's end by
// accesses of as many bytes as it is aligned to. Returns whether there were any.
bool misaligned_split(LLVMModuleRef module);

#endif
