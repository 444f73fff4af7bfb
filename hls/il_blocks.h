// SPDX-License-Identifier: Apache-2.0
// Functions that SPIR-V modules enqueue (OpEnqueueKernel and the queries of what it takes).
#ifndef HEDDLE_HLS_IL_BLOCKS_H
#define HEDDLE_HLS_IL_BLOCKS_H

#include <llvm-c/Core.h>

// A function that is named as what to enqueue becomes an entry as clang makes one of a block, whether the module has it
// as an entry point or not: a kernel whose arguments are not described (kernel.c).
void il_blocks_adapt(LLVMModuleRef module);

#endif
