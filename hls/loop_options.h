// SPDX-License-Identifier: Apache-2.0
// Loop metadata (llvm.loop). It is attached to the latch's branch: a node whose first operand is the node itself. The
// other operands, "parts" here, are debug locations, and options, which are nodes whose first operand is a name.
#ifndef HEDDLE_HLS_LOOP_OPTIONS_H
#define HEDDLE_HLS_LOOP_OPTIONS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "hls/ir.h"

// The operands of a loop's node, with room for one more; items[0] is empty, for the node itself. The caller frees them.
// *count is 1 where there is no metadata.
LLVMMetadataRef *loop_options_of(LLVMValueRef latch, unsigned *count);
// Replaces the loop's metadata by a node of these operands, and sets the first one to that node.
void loop_options_set(LLVMValueRef latch, LLVMMetadataRef *parts, unsigned count);
// Removes the parts for which `goes` returns true. A part may be NULL.
void loop_options_remove(LLVMValueRef latch, bool (*goes)(LLVMMetadataRef part, LLVMContextRef context));

// Whether a part is an option whose name begins so. NULL is none.
bool loop_options_is(LLVMContextRef context, LLVMMetadataRef part, const char *beginning);
// Whether the loop has an option whose name begins so.
bool loop_options_have(LLVMValueRef latch, const char *beginning);
// The first such option: its operands, of which the first is the name.
struct ir_metadata loop_options_find(LLVMValueRef latch, const char *beginning);

#endif
