// SPDX-License-Identifier: Apache-2.0
// See reload.h. A word is loaded anew where its address in the round before was a function of what counters had next,
// and in front of the loop the same function of what they begin with; and where nobody stores to it.
#include "hls/pipeline/reload.h"

#include <llvm-c/Target.h>

#include "hls/flow_graph.h"
#include "hls/ir.h"

enum { MOST_STEPS = 16 };  // of a function

struct word {
  const struct flow_graph *graph;
  LLVMBasicBlockRef header, outside;  // the loop's, and the block in front of it
  LLVMValueRef phi, before, first;    // the word; the loads of the round before, and of the first round
};

// What a phi of the header gets from the rounds before, or from outside.
static LLVMValueRef incoming(const struct word *w, LLVMValueRef phi, bool from_outside) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if ((LLVMGetIncomingBlock(phi, i) == w->outside) == from_outside)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

static bool is_in_loop(const struct word *w, LLVMValueRef value) {
  return LLVMIsAInstruction(value) && flow_graph_is_in_loop(w->graph, LLVMGetInstructionParent(value), w->header);
}

// The counter of the header that has this value next; NULL: none.
static LLVMValueRef counter_of(const struct word *w, LLVMValueRef next) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(w->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    if (phi != w->phi && incoming(w, phi, false) == next)
      return phi;
  return NULL;
}

static bool is_of_function(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMGetElementPtr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMOr:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
      return true;
    default:
      return false;
  }
}

static int64_t size_of_element(const struct word *w, LLVMValueRef address) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(w->graph->function));
  return (int64_t)LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(address));
}

// What a function of what counters have next is with what they begin with, if those are constants.
static bool number_of(const struct word *w, LLVMValueRef next, int64_t *number, unsigned steps) {
  LLVMValueRef counter = is_in_loop(w, next) ? counter_of(w, next) : NULL;
  LLVMValueRef constant = counter ? incoming(w, counter, true) : next;
  if (LLVMIsAConstantInt(constant)) {
    *number = LLVMConstIntGetSExtValue(constant);
    return *number == (int32_t)*number;
  }
  int64_t left, right;
  const bool is_sum = ir_is_operation(next, LLVMAdd);
  if (steps == 0 || (!is_sum && !ir_is_operation(next, LLVMMul)) ||
      !number_of(w, LLVMGetOperand(next, 0), &left, steps - 1) ||
      !number_of(w, LLVMGetOperand(next, 1), &right, steps - 1))
    return false;
  *number = is_sum ? left + right : left * right;
  return *number == (int32_t)*number;
}

// Whether an address is so many bytes behind another one.
static bool is_behind(const struct word *w, LLVMValueRef address, LLVMValueRef base, int64_t bytes) {
  if (address == base)
    return bytes == 0;
  if (!ir_is_operation(address, LLVMGetElementPtr) || LLVMGetNumOperands(address) != 2 ||
      LLVMGetOperand(address, 0) != base || !LLVMIsAConstantInt(LLVMGetOperand(address, 1)))
    return false;
  return LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1)) * size_of_element(w, address) == bytes;
}

// Whether a function of what counters have next is `first` with what they begin with.
static bool begins_as(const struct word *w, LLVMValueRef next, LLVMValueRef first, unsigned steps) {
  if (!is_in_loop(w, next))
    return next == first;
  LLVMValueRef counter = counter_of(w, next);
  if (counter)
    return incoming(w, counter, true) == first;
  if (steps == 0 || !is_of_function(next))
    return false;
  if (LLVMIsAInstruction(first) && LLVMGetInstructionOpcode(first) == LLVMGetInstructionOpcode(next) &&
      LLVMGetNumOperands(first) == LLVMGetNumOperands(next) && LLVMTypeOf(first) == LLVMTypeOf(next) &&
      (!LLVMIsAGetElementPtrInst(next) || LLVMGetGEPSourceElementType(first) == LLVMGetGEPSourceElementType(next))) {
    bool is = true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(next) && is; i++)
      is = begins_as(w, LLVMGetOperand(next, i), LLVMGetOperand(first, i), steps - 1);
    return is;
  }
  int64_t index;
  return ir_is_operation(next, LLVMGetElementPtr) && LLVMGetNumOperands(next) == 2 &&
         !is_in_loop(w, LLVMGetOperand(next, 0)) && number_of(w, LLVMGetOperand(next, 1), &index, steps - 1) &&
         is_behind(w, first, LLVMGetOperand(next, 0), index * size_of_element(w, next));
}

// The function of what counters have now.
static LLVMValueRef now_of(const struct word *w, LLVMBuilderRef builder, LLVMValueRef next) {
  if (!is_in_loop(w, next))
    return next;
  LLVMValueRef counter = counter_of(w, next);
  if (counter)
    return counter;
  LLVMValueRef now = LLVMInstructionClone(next);
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(next); i++)
    LLVMSetOperand(now, i, now_of(w, builder, LLVMGetOperand(next, i)));
  LLVMInsertIntoBuilder(builder, now);
  return now;
}

static bool has_attribute(LLVMValueRef argument, const char *name) {
  LLVMValueRef function = LLVMGetParamParent(argument);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == argument)
      return ir_parameter_attribute(function, i, name);
  return false;
}

// Whether nobody stores to what a pointer that is `restrict` leads to, while the kernel runs.
static bool stays(LLVMValueRef address) {
  while (ir_is_operation(address, LLVMGetElementPtr))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAArgument(address) && has_attribute(address, "noalias") && has_attribute(address, "readonly");
}

static bool is_plain_load(LLVMValueRef value) {
  return LLVMIsALoadInst(value) && ir_is_plain(value);
}

static bool has_loop_in_it(const struct flow_graph *graph, LLVMBasicBlockRef header) {
  for (size_t i = 0; i < graph->count; i++) {
    LLVMBasicBlockRef block = graph->nodes[i].block;
    if (block != header && flow_graph_is_header(graph, block) && flow_graph_is_in_loop(graph, block, header))
      return true;
  }
  return false;
}

static bool find(const struct flow_graph *graph, LLVMBasicBlockRef header, LLVMValueRef phi, struct word *w) {
  if (LLVMCountIncoming(phi) != 2)
    return false;
  const unsigned outside = flow_graph_is_in_loop(graph, LLVMGetIncomingBlock(phi, 0), header) ? 1 : 0;
  *w = (struct word){graph,
                     header,
                     LLVMGetIncomingBlock(phi, outside),
                     phi,
                     LLVMGetIncomingValue(phi, 1 - outside),
                     LLVMGetIncomingValue(phi, outside)};
  return is_plain_load(w->before) && is_plain_load(w->first) && is_in_loop(w, w->before) &&
         LLVMTypeOf(w->before) == LLVMTypeOf(w->first) && stays(LLVMGetOperand(w->before, 0)) &&
         begins_as(w, LLVMGetOperand(w->before, 0), LLVMGetOperand(w->first, 0), MOST_STEPS);
}

static void change(LLVMBuilderRef builder, const struct word *w) {
  LLVMValueRef at = LLVMGetFirstInstruction(w->header);
  while (LLVMIsAPHINode(at))
    at = LLVMGetNextInstruction(at);
  LLVMPositionBuilderBefore(builder, at);
  LLVMValueRef address = now_of(w, builder, LLVMGetOperand(w->before, 0));
  LLVMValueRef now = LLVMInstructionClone(w->before);
  LLVMSetOperand(now, 0, address);
  LLVMInsertIntoBuilder(builder, now);
  LLVMReplaceAllUsesWith(w->phi, now);
  LLVMInstructionEraseFromParent(w->phi);
}

bool reload_make(LLVMValueRef kernel) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));
  struct flow_graph graph = flow_graph_open(kernel);
  bool any = false;
  for (size_t i = 0; i < graph.count; i++) {
    LLVMBasicBlockRef header = graph.nodes[i].block;
    if (!flow_graph_is_header(&graph, header) || !has_loop_in_it(&graph, header))
      continue;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header), next; LLVMIsAPHINode(phi); phi = next) {
      struct word word;
      next = LLVMGetNextInstruction(phi);
      if (!find(&graph, header, phi, &word))
        continue;
      change(builder, &word);
      any = true;
    }
  }
  flow_graph_close(&graph);
  LLVMDisposeBuilder(builder);
  return any;
}
