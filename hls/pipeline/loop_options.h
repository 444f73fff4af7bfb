// SPDX-License-Identifier: Apache-2.0
// What LLVM's metadata says of a loop. It hangs on the branch that leads back to the loop's head: a node whose first
// part is the node itself; behind it are places of the source and options.
#ifndef HEDDLE_HLS_PIPELINE_LOOP_OPTIONS_H
#define HEDDLE_HLS_PIPELINE_LOOP_OPTIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// The parts, to be freed, with room for one more; the first is to be set. *count is 1 where there is no metadata.
LLVMMetadataRef *loop_options_of(LLVMValueRef latch, unsigned *count);
// Takes parts for those of the loop; the first of them is set to the node itself.
void loop_options_set(LLVMValueRef latch, LLVMMetadataRef *parts, unsigned count);

// Whether a part is an option that begins so: a node whose first operand is its name. NULL is none.
bool loop_options_is(LLVMContextRef context, LLVMMetadataRef part, const char *beginning);
// Whether the loop has an option that begins so.
bool loop_options_have(LLVMValueRef latch, const char *beginning);
// The operands of such an option, the name among them, to be freed; NULL: there is none.
LLVMValueRef *loop_options_find(LLVMValueRef latch, const char *beginning, unsigned *count);

#endif
