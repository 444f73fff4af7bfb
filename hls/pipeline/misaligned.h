// SPDX-License-Identifier: Apache-2.0
// Accesses that are less aligned than they are large: of packed structures, and what LLVM makes of two elements of a
// vector that are loaded at once.
#ifndef HEDDLE_HLS_PIPELINE_MISALIGNED_H
#define HEDDLE_HLS_PIPELINE_MISALIGNED_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Memories have words, and an access lies in one of them. Loads and stores of scalars that may lie across two become
// as many as they are bytes, or halves of words, long. Whether there were any.
bool misaligned_split(LLVMModuleRef module);

#endif
