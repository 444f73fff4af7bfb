// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/blocks.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>

// Whoever jumped to a block jumps to another one. Phis of that name the same blocks as before.
static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(from)); use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef end = LLVMGetUser(use);
    for (unsigned s = 0; LLVMIsATerminatorInst(end) && s < LLVMGetNumSuccessors(end); s++)
      if (LLVMGetSuccessor(end, s) == from) {
        LLVMSetSuccessor(end, s, to);
        break;  // one use
      }
  }
}

LLVMBasicBlockRef blocks_cut(LLVMBuilderRef builder, LLVMValueRef in_front_of) {
  LLVMBasicBlockRef second = LLVMGetInstructionParent(in_front_of);
  LLVMBasicBlockRef first = LLVMInsertBasicBlockInContext(LLVMGetBuilderContext(builder), second, "");
  redirect(second, first);
  LLVMSetCurrentDebugLocation2(builder, NULL);  // instructions that move keep their own
  LLVMPositionBuilderAtEnd(builder, first);
  for (LLVMValueRef at = LLVMGetFirstInstruction(second); at != in_front_of; at = LLVMGetFirstInstruction(second)) {
    LLVMInstructionRemoveFromParent(at);
    LLVMInsertIntoBuilder(builder, at);
  }
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(in_front_of));
  return first;
}
