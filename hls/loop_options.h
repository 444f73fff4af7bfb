// SPDX-License-Identifier: Apache-2.0
// What LLVM's metadata says of a loop. It hangs on the branch that leads back to the loop's head: a node whose first
// part is the node itself; behind it are places of the source and options, which are nodes whose first operand is a
// name.
#ifndef HEDDLE_HLS_LOOP_OPTIONS_H
#define HEDDLE_HLS_LOOP_OPTIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/ir.h"

// The parts, to be freed, with room for one more; the first is to be set. *count is 1 where there is no metadata.
LLVMMetadataRef *loop_options_of(LLVMValueRef latch, unsigned *count);
// Takes parts for those of the loop; the first of them is set to the node itself.
void loop_options_set(LLVMValueRef latch, LLVMMetadataRef *parts, unsigned count);
// Takes away the parts of which this is true; some are NULL.
void loop_options_remove(LLVMValueRef latch, bool (*goes)(LLVMMetadataRef part, LLVMContextRef context));

// Whether a part is an option that begins so; NULL is none.
bool loop_options_is(LLVMContextRef context, LLVMMetadataRef part, const char *beginning);
// Whether the loop has an option that begins so.
bool loop_options_have(LLVMValueRef latch, const char *beginning);
// The first such option: its name and what stands behind it.
struct ir_metadata loop_options_find(LLVMValueRef latch, const char *beginning);

#endif
