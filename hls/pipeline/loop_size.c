// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/loop_size.h"

#include <stdlib.h>
#include <string.h>

bool loop_find_innermost(const struct flow *flow, size_t block, struct loop *innermost) {
  bool *in_loop = calloc(flow->count + 1, sizeof *in_loop);
  if (!in_loop)
    abort();
  innermost->size = flow->count + 1;
  for (size_t from = 0; from < flow->count; from++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[from]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      const size_t to = flow_number(flow, LLVMGetSuccessor(end, s));
      if (to > from || !flow_dominates(flow, to, from))
        continue;
      memset(in_loop, 0, flow->count * sizeof *in_loop);
      flow_mark_loop(flow, to, from, in_loop);
      size_t size = 0;
      for (size_t i = 0; i < flow->count; i++)
        size += in_loop[i];
      if (in_loop[block] && size < innermost->size)
        *innermost = (struct loop){to, from, size};
    }
  }
  free(in_loop);
  return innermost->size <= flow->count;
}

// A value and a constant.
static bool is_sum(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

LLVMValueRef loop_step(LLVMValueRef phi, LLVMValueRef next) {
  return is_sum(next) && LLVMGetOperand(next, 0) == phi ? LLVMGetOperand(next, 1) : NULL;
}

// Counts of a loop: from a number, by a number; `ahead`: the value is that of the next round.
static bool find_count(LLVMValueRef value, LLVMBasicBlockRef header, int64_t *from, int64_t *by, bool *ahead) {
  *ahead = is_sum(value);
  if (*ahead)
    value = LLVMGetOperand(value, 0);
  if (!LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != header || LLVMCountIncoming(value) != 2)
    return false;
  bool has_start = false, has_step = false;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef comes = LLVMGetIncomingValue(value, i);
    if (LLVMIsAConstantInt(comes)) {
      *from = LLVMConstIntGetSExtValue(comes);
      has_start = true;
    } else if (loop_step(value, comes)) {
      *by = LLVMConstIntGetSExtValue(loop_step(value, comes));
      has_step = *by != 0;
    }
  }
  return has_start && has_step;
}

// Rounds of a loop that counts to a number; 0: it is not known.
static uint64_t count_rounds(const struct flow *flow, const struct loop *loop) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[loop->latch]);
  LLVMValueRef condition = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
  int64_t from = 0, by = 1;
  bool ahead;
  if (!condition || !LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) ||
      !find_count(LLVMGetOperand(condition, 0), flow->blocks[loop->header], &from, &by, &ahead))
    return 0;
  const int64_t to = LLVMConstIntGetSExtValue(LLVMGetOperand(condition, 1));
  const uint64_t distance = to > from ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
  const uint64_t step = by > 0 ? (uint64_t)by : -(uint64_t)by;
  return step == 0 ? 0 : distance / step + !ahead;
}

static bool is_float(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    type = LLVMGetElementType(type);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

bool loop_computes_float(LLVMValueRef at) {
  if (LLVMIsAExtractElementInst(at) || LLVMIsAInsertElementInst(at) || LLVMIsAPHINode(at) || LLVMIsALoadInst(at) ||
      LLVMIsAStoreInst(at) || LLVMGetInstructionOpcode(at) == LLVMBitCast)
    return false;
  return is_float(at) || (LLVMGetNumOperands(at) > 0 && is_float(LLVMGetOperand(at, 0)));
}

struct loop_size loop_measure(const struct flow *flow, const struct loop *loop) {
  struct loop_size size = {.rounds = count_rounds(flow, loop)};
  bool *in_loop = calloc(flow->count + 1, sizeof *in_loop);
  if (!in_loop)
    abort();
  flow_mark_loop(flow, loop->header, loop->latch, in_loop);
  for (size_t i = 0; i < flow->count; i++)
    for (LLVMValueRef at = in_loop[i] ? LLVMGetFirstInstruction(flow->blocks[i]) : NULL; at;
         at = LLVMGetNextInstruction(at)) {
      size.instructions++;
      size.computes_floats |= loop_computes_float(at);
    }
  free(in_loop);
  return size;
}
