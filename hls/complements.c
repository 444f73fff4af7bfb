// SPDX-License-Identifier: Apache-2.0
// See complements.h.
#include "hls/complements.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

#include "hls/ir.h"

// Instructions of a block, from which on it is long.
enum { LONG_BLOCK = 512 };

static bool is_long(LLVMBasicBlockRef block) {
  unsigned count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && count < LONG_BLOCK; at = LLVMGetNextInstruction(at))
    count++;
  return count == LONG_BLOCK;
}

static bool is_complement(LLVMValueRef instruction) {
  if (LLVMGetInstructionOpcode(instruction) != LLVMXor)
    return false;
  LLVMValueRef ones = LLVMGetOperand(instruction, 1);
  return LLVMIsAConstantInt(ones) && ones == LLVMConstAllOnes(LLVMTypeOf(ones));
}

static bool is_used_here_alone(LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) != block)
      return false;
  return true;
}

static void subtract(LLVMBuilderRef builder, LLVMValueRef complement) {
  LLVMPositionBuilderBefore(builder, complement);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(complement));
  LLVMValueRef ones = LLVMGetOperand(complement, 1);
  LLVMReplaceAllUsesWith(complement, LLVMBuildSub(builder, ones, LLVMGetOperand(complement, 0), ""));
  LLVMInstructionEraseFromParent(complement);
}

static void subtract_in(void *context, LLVMBasicBlockRef block) {
  LLVMValueRef next = is_long(block) ? LLVMGetFirstInstruction(block) : NULL;
  while (next) {
    LLVMValueRef instruction = next;
    next = LLVMGetNextInstruction(instruction);
    if (is_complement(instruction) && is_used_here_alone(instruction))
      subtract(context, instruction);
  }
}

void complements_subtract(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_each_block(module, subtract_in, builder);
  LLVMDisposeBuilder(builder);
}
