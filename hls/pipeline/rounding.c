// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/rounding.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

#include "hls/float_unit.h"
#include "hls/ir.h"
#include "hls/pipeline/primitives.h"

static bool is_word(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
}

// Where the result only becomes an integer of 32 bits, that is one conversion.
static void shorten(LLVMBuilderRef builder, LLVMValueRef call, enum float_rounding mode) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMValueRef x = LLVMGetOperand(call, 0);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    const bool is_signed = LLVMIsAFPToSIInst(user);
    if ((is_signed || LLVMIsAFPToUIInst(user)) && is_word(user)) {
      LLVMPositionBuilderBefore(builder, user);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(user));
      enum primitive_meaning meaning = is_signed ? PRIMITIVE_INT_OF_FLOAT : PRIMITIVE_UINT_OF_FLOAT;
      LLVMReplaceAllUsesWith(user, primitive_build_conversion(builder, module, meaning, x, mode));
      LLVMInstructionEraseFromParent(user);
    }
  }
}

static void expand_in(void *context, LLVMBasicBlockRef block) {
  LLVMBuilderRef builder = context;
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
  for (LLVMValueRef call = LLVMGetFirstInstruction(block), next; call; call = next) {
    const enum float_rounding mode = float_unit_rounding_of(call);
    if (mode != FLOAT_UNROUNDED)
      shorten(builder, call, mode);
    next = LLVMGetNextInstruction(call);  // not before: shortening removes instructions that follow
    if (mode == FLOAT_UNROUNDED)
      continue;
    if (LLVMGetFirstUse(call)) {
      LLVMPositionBuilderBefore(builder, call);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
      LLVMValueRef x = LLVMGetOperand(call, 0);
      LLVMValueRef integer = primitive_build_conversion(builder, module, PRIMITIVE_INT_OF_FLOAT, x, mode);
      LLVMReplaceAllUsesWith(call, float_unit_build_whole(builder, x, integer));
    }
    LLVMInstructionEraseFromParent(call);
  }
}

void rounding_expand(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_each_block(module, expand_in, builder);
  LLVMDisposeBuilder(builder);
}
