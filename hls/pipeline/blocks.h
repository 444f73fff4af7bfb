// SPDX-License-Identifier: Apache-2.0
// Basic blocks that are cut in two, for an instruction that becomes a loop.
#ifndef HEDDLE_HLS_PIPELINE_BLOCKS_H
#define HEDDLE_HLS_PIPELINE_BLOCKS_H

#include <llvm-c/Core.h>

// Cuts a block in front of an instruction that is no phi. What stands before the instruction moves to a new block,
// which is returned without an end, with the builder there; the block itself begins with the instruction. No value
// changes.
LLVMBasicBlockRef blocks_cut(LLVMBuilderRef builder, LLVMValueRef in_front_of);

#endif
