// SPDX-License-Identifier: Apache-2.0
// From the results to what they are made of: the operands' choices may be such choices, too, and come next.
#include "hls/pipeline/choices.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "hls/call_graph.h"
#include "hls/ir.h"
#include "hls/pipeline/exclusive_items.h"

// What takes much more room than choosing its operands, or as much as that, and may stand in front of such. A product
// of integers is multipliers that are there.
static bool is_worth_it(LLVMValueRef at) {
  if (!LLVMIsAInstruction(at))
    return false;
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMMul:
      return false;
    case LLVMBitCast:
    case LLVMFNeg:
      return true;
    default:
      return exclusive_is_large(at) || ir_calls(at, "llvm.fabs");
  }
}

static bool has_one_use(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

// Whether the first two operands may change places.
static bool is_commutative(LLVMValueRef at) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  return opcode == LLVMFAdd || opcode == LLVMFMul || ir_calls(at, "llvm.fma") || ir_calls(at, "llvm.fmuladd");
}

// In the block of the operations: else what is computed once would be computed in each round of a loop.
static bool can_join(LLVMValueRef at) {
  if (!LLVMIsASelectInst(at))
    return false;
  LLVMValueRef a = LLVMGetOperand(at, 1), b = LLVMGetOperand(at, 2);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
  return a != b && is_worth_it(a) && is_worth_it(b) && LLVMGetInstructionParent(a) == block &&
         LLVMGetInstructionParent(b) == block && has_one_use(a) && has_one_use(b) && exclusive_are_same_operation(a, b);
}

static LLVMValueRef build_choice(LLVMBuilderRef builder, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b) {
  return a == b ? a : LLVMBuildSelect(builder, condition, a, b, "");
}

// Two sums or products of which one operand is the same choose the other one alone.
static void line_up(LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef first = LLVMGetOperand(b, 0), second = LLVMGetOperand(b, 1);
  if (!is_commutative(a) || LLVMGetOperand(a, 0) == first || LLVMGetOperand(a, 1) == second)
    return;
  if (LLVMGetOperand(a, 0) == second || LLVMGetOperand(a, 1) == first) {
    LLVMSetOperand(b, 0, second);
    LLVMSetOperand(b, 1, first);
  }
}

// The first operation takes the place of the choice. New choices are added to the others.
static void join(LLVMBuilderRef builder, LLVMValueRef choice, struct reach *choices) {
  LLVMValueRef condition = LLVMGetOperand(choice, 0), a = LLVMGetOperand(choice, 1), b = LLVMGetOperand(choice, 2);
  line_up(a, b);
  LLVMPositionBuilderBefore(builder, choice);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(choice));
  const unsigned count = exclusive_arguments_of(a);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef chosen = build_choice(builder, condition, LLVMGetOperand(a, i), LLVMGetOperand(b, i));
    if (LLVMIsASelectInst(chosen) && !LLVMGetFirstUse(chosen))  // a new one
      reach_add(choices, chosen);
    LLVMSetOperand(a, i, chosen);
  }
  LLVMInstructionRemoveFromParent(a);
  LLVMSetCurrentDebugLocation2(builder, NULL);  // it keeps its own
  LLVMInsertIntoBuilder(builder, a);
  exclusive_forget(a);
  LLVMReplaceAllUsesWith(choice, a);
  LLVMInstructionEraseFromParent(choice);
  LLVMInstructionEraseFromParent(b);
}

static void find(LLVMValueRef kernel, struct reach *choices) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (can_join(at))
        reach_add(choices, at);
}

bool choices_are_there(LLVMValueRef kernel) {
  struct reach choices = {0};
  find(kernel, &choices);
  const bool are_there = choices.count > 0;
  reach_free(&choices);
  return are_there;
}

// One pass.
static unsigned join_once(LLVMBuilderRef builder, LLVMValueRef kernel) {
  struct reach choices = {0};
  unsigned joined = 0;
  find(kernel, &choices);
  for (size_t i = 0; i < choices.count; i++) {  // grows while it runs
    if (!can_join(choices.values[i]))
      continue;
    join(builder, choices.values[i], &choices);
    joined++;
  }
  reach_free(&choices);
  return joined;
}

unsigned choices_join(LLVMValueRef kernel) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));
  unsigned all = 0;
  // A choice between what has become one operation and another may be one of two that are alike now.
  for (unsigned joined = 1; joined > 0; all += joined)
    joined = join_once(builder, kernel);
  LLVMDisposeBuilder(builder);
  return all;
}
