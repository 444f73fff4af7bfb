// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/aggregates.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>

static bool is_choice(LLVMValueRef at) {
  LLVMTypeRef type = LLVMTypeOf(at);
  return (LLVMIsAPHINode(at) || LLVMIsASelectInst(at)) && LLVMGetTypeKind(type) == LLVMStructTypeKind &&
         LLVMCountStructElementTypes(type) != 0;
}

// Behind the phis of its block, so that more phis may stand in front.
static void go_behind(LLVMBuilderRef builder, LLVMValueRef at) {
  LLVMValueRef next = at;
  while (next && LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  LLVMPositionBuilderBefore(builder, next);
}

// What comes from a block, which a switch may name several times.
static LLVMValueRef build_incoming(LLVMBuilderRef builder, LLVMValueRef phi, LLVMValueRef part, unsigned i,
                                   unsigned member) {
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
  for (unsigned k = 0; k < i; k++)
    if (LLVMGetIncomingBlock(part, k) == from)
      return LLVMGetIncomingValue(part, k);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
  return LLVMBuildExtractValue(builder, LLVMGetIncomingValue(phi, i), member, "");
}

// Return the first of what is made.
static LLVMValueRef take_phi_apart(LLVMBuilderRef builder, LLVMValueRef phi) {
  LLVMTypeRef type = LLVMTypeOf(phi);
  LLVMValueRef whole = LLVMGetUndef(type), first = NULL;
  for (unsigned member = 0; member < LLVMCountStructElementTypes(type); member++) {
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef part = LLVMBuildPhi(builder, LLVMStructGetTypeAtIndex(type, member), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMValueRef value = build_incoming(builder, phi, part, i, member);
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
      LLVMAddIncoming(part, &value, &from, 1);
    }
    go_behind(builder, phi);
    whole = LLVMBuildInsertValue(builder, whole, part, member, "");
    first = first ? first : part;
  }
  LLVMReplaceAllUsesWith(phi, whole);
  return first;
}

static LLVMValueRef take_select_apart(LLVMBuilderRef builder, LLVMValueRef select) {
  LLVMTypeRef type = LLVMTypeOf(select);
  LLVMValueRef whole = LLVMGetUndef(type), first = NULL;
  LLVMPositionBuilderBefore(builder, select);
  for (unsigned member = 0; member < LLVMCountStructElementTypes(type); member++) {
    LLVMValueRef part = LLVMBuildSelect(builder, LLVMGetOperand(select, 0),
                                        LLVMBuildExtractValue(builder, LLVMGetOperand(select, 1), member, ""),
                                        LLVMBuildExtractValue(builder, LLVMGetOperand(select, 2), member, ""), "");
    whole = LLVMBuildInsertValue(builder, whole, part, member, "");
    first = first ? first : part;
  }
  LLVMReplaceAllUsesWith(select, whole);
  return first;
}

static bool take_apart(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  bool any = false;
  LLVMValueRef next;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
    next = LLVMGetNextInstruction(at);
    if (!is_choice(at))
      continue;
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
    next = LLVMIsAPHINode(at) ? take_phi_apart(builder, at) : take_select_apart(builder, at);
    LLVMInstructionEraseFromParent(at);
    any = true;
  }
  return any;
}

bool aggregates_take_apart(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      any |= take_apart(builder, block);
  LLVMDisposeBuilder(builder);
  return any;
}
