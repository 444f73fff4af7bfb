// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/pipe_waits.h"

#include <stdlib.h>

#include "hls/ir.h"
#include "hls/pipeline/flow.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/primitives.h"

// The call whose success a condition tells, and what the condition is then. NULL: of no pipe.
static LLVMValueRef call_of(LLVMValueRef condition, bool *when_done) {
  *when_done = true;
  if (!LLVMIsAICmpInst(condition))
    return NULL;
  LLVMValueRef call = LLVMGetOperand(condition, 0), other = LLVMGetOperand(condition, 1);
  const LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
  const enum primitive_meaning meaning = LLVMIsACallInst(call) ? primitive_of(call).meaning : PRIMITIVE_NONE;
  if ((meaning != PRIMITIVE_PIPE_READ && meaning != PRIMITIVE_PIPE_WRITE) || !LLVMIsAConstantInt(other) ||
      LLVMConstIntGetZExtValue(other) != 0 || (predicate != LLVMIntEQ && predicate != LLVMIntNE))
    return NULL;
  *when_done = predicate == LLVMIntNE;
  return call;
}

// The block by which a loop is left; FLOW_NONE: there are several ways out, or none.
static size_t only_way_out(const struct flow *flow, const bool *in_loop) {
  size_t found = FLOW_NONE;
  for (size_t i = 0; i < flow->count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[i]);
    for (unsigned k = 0; in_loop[i] && k < LLVMGetNumSuccessors(end); k++) {
      if (in_loop[flow_number(flow, LLVMGetSuccessor(end, k))])
        continue;
      if (found != FLOW_NONE)
        return FLOW_NONE;
      found = i;
    }
  }
  return found;
}

// Whether an instruction does nothing that anybody could see who counts how often it is carried out.
static bool is_idle(LLVMValueRef at) {
  if (LLVMIsAPHINode(at) || LLVMIsAStoreInst(at) || LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at) ||
      (LLVMIsALoadInst(at) && LLVMGetVolatile(at)))
    return false;
  LLVMValueRef callee = ir_callee(at);
  return !LLVMIsACallInst(at) || (callee && ir_is_intrinsic(callee) && !ir_calls(at, "llvm.mem")) ||
         primitive_of(at).meaning == PRIMITIVE_PIPE_WORD;
}

// Whether a loop does nothing but to try: what polls may fail now and succeed later, so that rounds of anything else
// may lie between.
static bool only_tries(const struct flow *flow, const bool *in_loop, LLVMValueRef call) {
  for (size_t i = 0; i < flow->count; i++)
    for (LLVMValueRef at = in_loop[i] ? LLVMGetFirstInstruction(flow->blocks[i]) : NULL; at;
         at = LLVMGetNextInstruction(at))
      if (at != call && !is_idle(at))
        return false;
  return true;
}

static bool make_wait(const struct flow *flow, size_t header, size_t latch) {
  bool *in_loop = graph_allocate(flow->count * sizeof *in_loop), when_done = false;
  flow_mark_loop(flow, header, latch, in_loop);
  const size_t out = only_way_out(flow, in_loop);
  LLVMValueRef end = out == FLOW_NONE ? NULL : LLVMGetBasicBlockTerminator(flow->blocks[out]);
  if (!end || !LLVMIsABranchInst(end))
    return false;
  LLVMValueRef call = call_of(LLVMGetCondition(end), &when_done);
  const bool is_inside = call && in_loop[flow_number(flow, LLVMGetInstructionParent(call))];
  const bool leaves_when_done = !in_loop[flow_number(flow, LLVMGetSuccessor(end, when_done ? 0 : 1))];
  if (!is_inside || !leaves_when_done || (primitive_of(call).polls && !only_tries(flow, in_loop, call)))
    return false;
  LLVMSetCondition(end, LLVMConstInt(LLVMTypeOf(LLVMGetCondition(end)), when_done, 0));
  primitive_make_wait(call);
  return true;
}

bool pipe_waits_make(LLVMValueRef kernel) {
  struct flow flow;
  flow_find(kernel, &flow);
  bool any = false;
  for (size_t latch = 0; latch < flow.count; latch++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow.blocks[latch]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      const size_t header = flow_number(&flow, LLVMGetSuccessor(end, i));
      if (header <= latch && flow_dominates(&flow, header, latch))
        any |= make_wait(&flow, header, latch);
    }
  }
  flow_free(&flow);
  return any;
}
