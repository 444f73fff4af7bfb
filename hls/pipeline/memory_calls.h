// SPDX-License-Identifier: Apache-2.0
// LLVM's intrinsics that copy and fill memory.
#ifndef HEDDLE_HLS_PIPELINE_MEMORY_CALLS_H
#define HEDDLE_HLS_PIPELINE_MEMORY_CALLS_H

#include <llvm-c/Core.h>

// They become loads and stores: one after another where they are few, else in a loop.
void memory_calls_expand(LLVMModuleRef module);

#endif
