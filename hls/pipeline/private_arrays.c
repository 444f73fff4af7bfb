// SPDX-License-Identifier: Apache-2.0
// Tried on a copy of the module, which is kept if a kernel has fewer arrays in it.
#include "hls/pipeline/private_arrays.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/call_graph.h"
#include "hls/ir.h"
#include "hls/pipeline/flow.h"

static const char unroll_options[] = "llvm.loop.unroll.";

static bool has_variable_index(LLVMValueRef address) {
  for (int i = 1; i < LLVMGetNumOperands(address); i++)
    if (!LLVMIsAConstant(LLVMGetOperand(address, (unsigned)i)))
      return true;
  return false;
}

// Adds the instructions that choose an element of an array.
static void find_choices(LLVMValueRef array, struct reach *choices) {
  struct reach addresses = {0};
  reach_add(&addresses, array);
  for (size_t i = 0; i < addresses.count; i++) {  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(addresses.values[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      const bool is_address =
          LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsACastInst(user);
      if (!is_address || reach_has(&addresses, user))
        continue;
      reach_add(&addresses, user);
      if (!LLVMIsAGetElementPtrInst(user) || has_variable_index(user))
        reach_add(choices, user);
    }
  }
  reach_free(&addresses);
}

static void find_arrays(LLVMValueRef function, struct reach *arrays) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (LLVMIsAAllocaInst(at))
        reach_add(arrays, at);
  }
}

static size_t count_arrays(LLVMValueRef function) {
  struct reach arrays = {0};
  find_arrays(function, &arrays);
  const size_t count = arrays.count;
  reach_free(&arrays);
  return count;
}

static size_t count_instructions(LLVMValueRef function) {
  size_t count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      count++;
  return count;
}

// Whether a loop has an option that begins so.
static bool has_option(LLVMValueRef latch, unsigned kind, const char *beginning) {
  LLVMValueRef node = LLVMGetMetadata(latch, kind);
  if (!node)
    return false;
  const unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *operands = calloc(count + 1, sizeof *operands);
  if (!operands)
    abort();
  LLVMGetMDNodeOperands(node, operands);
  bool found = false;
  for (unsigned i = 1; i < count; i++) {
    LLVMValueRef name = NULL;
    if (operands[i] && LLVMIsAMDNode(operands[i]) && LLVMGetMDNodeNumOperands(operands[i]) == 1)
      LLVMGetMDNodeOperands(operands[i], &name);
    unsigned length = 0;
    const char *text = name ? LLVMGetMDString(name, &length) : NULL;
    found |= text && length >= strlen(beginning) && memcmp(text, beginning, strlen(beginning)) == 0;
  }
  free(operands);
  return found;
}

// What `#pragma unroll` makes of a loop.
static void ask_to_unroll(LLVMValueRef latch, unsigned kind, LLVMContextRef context) {
  static const char full[] = "llvm.loop.unroll.full";
  LLVMMetadataRef name = LLVMMDStringInContext2(context, full, strlen(full));
  LLVMMetadataRef itself = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef operands[] = {itself, LLVMMDNodeInContext2(context, &name, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, 2);
  LLVMMetadataReplaceAllUsesWith(itself, node);
  LLVMSetMetadata(latch, kind, LLVMMetadataAsValue(context, node));
}

// A loop of a function, by the numbers of its blocks.
struct loop {
  size_t header, latch, size;
};

// Of the loops that hold a block, the smallest.
static bool find_innermost(const struct flow *flow, size_t block, struct loop *innermost) {
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

// Asks to unroll the innermost loops of all choices. Returns whether there is one that may be.
static bool mark_loops(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  const unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));
  struct reach arrays = {0}, choices = {0}, blocks = {0};
  find_arrays(function, &arrays);
  for (size_t i = 0; i < arrays.count; i++)
    find_choices(arrays.values[i], &choices);
  struct flow flow;
  flow_find(function, &flow);
  bool any = false;
  for (size_t i = 0; i < choices.count; i++) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(choices.values[i]);
    const size_t number = flow_number(&flow, block);
    struct loop loop = {0};
    if (number == FLOW_NONE || reach_has(&blocks, LLVMBasicBlockAsValue(block)))
      continue;
    reach_add(&blocks, LLVMBasicBlockAsValue(block));
    if (find_innermost(&flow, number, &loop)) {
      LLVMValueRef latch = LLVMGetBasicBlockTerminator(flow.blocks[loop.latch]);
      if (!has_option(latch, kind, unroll_options)) {
        ask_to_unroll(latch, kind, context);
        any = true;
      }
    }
  }
  flow_free(&flow);
  reach_free(&blocks);
  reach_free(&choices);
  reach_free(&arrays);
  return any;
}

// Whether the source asks to unroll a loop.
static void find_request(LLVMValueRef instruction, void *context) {
  static const char *const requests[] = {"llvm.loop.unroll.full", "llvm.loop.unroll.enable", "llvm.loop.unroll.count"};
  bool *found = context;
  LLVMContextRef of = LLVMGetTypeContext(LLVMTypeOf(instruction));
  const unsigned kind = LLVMGetMDKindIDInContext(of, "llvm.loop", strlen("llvm.loop"));
  for (size_t i = 0; i < sizeof requests / sizeof *requests && LLVMIsATerminatorInst(instruction); i++)
    *found = *found || has_option(instruction, kind, requests[i]);
}

// Nobody is to be told that what the source does not ask for has not been done.
static void say_errors_only(LLVMDiagnosticInfoRef info, void *context) {
  (void)context;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  fprintf(stderr, "error: %s\n", text);
  LLVMDisposeMessage(text);
}

static LLVMValueRef same_in(LLVMModuleRef module, LLVMValueRef function) {
  size_t length;
  return LLVMGetNamedFunction(module, LLVMGetValueName2(function, &length));
}

// Loops around a loop are only tried once that is gone. What is unrolled is room: an array costs less than many
// operations more.
enum { ROUNDS_MAX = 4, GROWTH_MAX = 400 };

static enum status try_on(LLVMModuleRef trial, LLVMValueRef kernel, size_t arrays,
                          enum status (*optimize)(LLVMModuleRef module), bool *is_better) {
  enum status status = STATUS_OK;
  const size_t most = count_instructions(kernel) + GROWTH_MAX;
  bool is_small = true;
  for (int round = 0; round < ROUNDS_MAX && status == STATUS_OK && !*is_better && is_small && mark_loops(kernel);
       round++) {
    status = optimize(trial);
    is_small = count_instructions(kernel) <= most;
    *is_better = status == STATUS_OK && is_small && count_arrays(kernel) < arrays;
  }
  return status;
}

enum status private_arrays_remove(LLVMModuleRef *module, struct kernels *kernels,
                                  enum status (*optimize)(LLVMModuleRef module)) {
  enum status status = STATUS_OK;
  bool asks = false;
  ir_each_instruction(*module, find_request, &asks);
  if (!asks)
    LLVMContextSetDiagnosticHandler(LLVMGetModuleContext(*module), say_errors_only, NULL);
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++) {
    bool is_better = true;
    while (is_better && status == STATUS_OK && count_arrays(kernels->items[i].body) > 0) {
      is_better = false;
      LLVMModuleRef trial = LLVMCloneModule(*module), old = *module;
      LLVMValueRef tried = same_in(trial, kernels->items[i].body);
      status = try_on(trial, tried, count_arrays(tried), optimize, &is_better);
      for (size_t k = 0; is_better && k < kernels->count; k++)
        kernels->items[k].body = same_in(trial, kernels->items[k].body);
      *module = is_better ? trial : old;
      LLVMDisposeModule(is_better ? old : trial);
    }
  }
  return status;
}
