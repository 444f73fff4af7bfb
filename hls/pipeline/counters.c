// SPDX-License-Identifier: Apache-2.0
// How far a loop's counter counts, where the loop says so: then an index made of it needs no check.
#include "hls/pipeline/loop_size.h"
#include "hls/pipeline/maker.h"

enum { MOST_COUNT = 1 << 30 };

static bool is_small(LLVMValueRef value, uint64_t *number) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return false;
  *number = LLVMConstIntGetZExtValue(value);
  return *number < MOST_COUNT;
}

// The comparison that the latch goes around by; `stays`: whether it is true then.
static LLVMValueRef comparison_of(LLVMBasicBlockRef header, LLVMBasicBlockRef latch, bool *stays) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(latch);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
    return NULL;
  *stays = LLVMGetSuccessor(end, 0) == header;
  LLVMValueRef condition = LLVMGetCondition(end);
  while (LLVMIsAInstruction(condition) && LLVMGetInstructionOpcode(condition) == LLVMXor &&
         LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) && !LLVMIsNull(LLVMGetOperand(condition, 1))) {
    condition = LLVMGetOperand(condition, 0);
    *stays = !*stays;
  }
  return LLVMIsAICmpInst(condition) ? condition : NULL;
}

// Whether a value is the counter, or so much more, as in the last of several rounds that have become one.
static bool is_ahead(LLVMValueRef value, LLVMValueRef phi, uint64_t *ahead) {
  *ahead = 0;
  if (value == phi)
    return true;
  if (!LLVMIsAInstruction(value) || LLVMGetNumOperands(value) != 2 || LLVMGetOperand(value, 0) != phi)
    return false;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return (opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(value))) &&
         is_small(LLVMGetOperand(value, 1), ahead);
}

uint64_t make_most_of_counter(LLVMValueRef phi, LLVMBasicBlockRef latch) {
  LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
  if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind || LLVMCountIncoming(phi) != 2)
    return 0;
  const unsigned back = LLVMGetIncomingBlock(phi, 1) == latch;
  LLVMValueRef by = loop_step(phi, LLVMGetIncomingValue(phi, back));
  uint64_t first, step, bound;
  if (LLVMGetIncomingBlock(phi, back) != latch || !is_small(LLVMGetIncomingValue(phi, !back), &first) || !by ||
      !is_small(by, &step) || step == 0)
    return 0;
  bool stays;
  LLVMValueRef compare = comparison_of(header, latch, &stays);
  if (!compare || !is_small(LLVMGetOperand(compare, 1), &bound) || bound == 0)
    return 0;
  uint64_t ahead;
  if (!is_ahead(LLVMGetOperand(compare, 0), phi, &ahead) || ahead > step)
    return 0;
  const LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
  // The largest value of what is compared with which the loop goes on. What is equal or not is met exactly.
  uint64_t last;
  if (predicate == (stays ? LLVMIntNE : LLVMIntEQ)) {
    const uint64_t start = first + ahead;
    if (bound < start || (bound - start) % step != 0)
      return 0;
    if (bound == start)
      return first;
    last = bound - step;
  } else if (predicate == (stays ? LLVMIntULT : LLVMIntUGE) || predicate == (stays ? LLVMIntSLT : LLVMIntSGE)) {
    last = bound - 1;
  } else if (predicate == (stays ? LLVMIntULE : LLVMIntUGT) || predicate == (stays ? LLVMIntSLE : LLVMIntSGT)) {
    last = bound;
  } else {
    return 0;
  }
  if (last < first + ahead)
    return first;
  // The last one that goes on, and a step more.
  return first + ((last - first - ahead) / step + 1) * step;
}
