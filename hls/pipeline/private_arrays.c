// SPDX-License-Identifier: Apache-2.0
// Tried on a copy of the module, which is kept if a kernel has fewer arrays in it, or chooses fewer elements of
// vectors.
#include "hls/pipeline/private_arrays.h"

#include <llvm-c/Analysis.h>
#include <stdbool.h>
#include <stdlib.h>

#include "hls/call_graph.h"
#include "hls/ir.h"
#include "hls/pipeline/loop_size.h"
#include "hls/pipeline/unroll.h"

// Loops around a loop are only tried once that is gone. What is unrolled is room: an array costs less than many
// operations more, above all of floats, of which one is some 500 LUT4. Most of what is tried becomes much less, but not
// of so many instructions.
enum { ROUNDS_MAX = 4, GROWTH_MAX = 400, MORE_FLOATS_MAX = 80, MOST_TRIED = 6400, MOST_OF_ELEMENTS = 64 };

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

// The same of vectors: the library's loops over elements are such, as conversions'.
static void find_element_choices(LLVMValueRef function, struct reach *choices) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      const bool is_choice = LLVMIsAExtractElementInst(at) || LLVMIsAInsertElementInst(at);
      if (is_choice && !LLVMIsAConstantInt(LLVMGetOperand(at, (unsigned)LLVMGetNumOperands(at) - 1)))
        reach_add(choices, at);
    }
}

static void find_arrays(LLVMValueRef function, struct reach *arrays) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (LLVMIsAAllocaInst(at))
        reach_add(arrays, at);
  }
}

// Arrays, and choices of elements of vectors.
static size_t count_chosen(LLVMValueRef function) {
  struct reach chosen = {0};
  find_arrays(function, &chosen);
  find_element_choices(function, &chosen);
  const size_t count = chosen.count;
  reach_free(&chosen);
  return count;
}

struct size {
  size_t instructions, floats;  // floats: those that compute some
};

static struct size size_of(LLVMValueRef function) {
  struct size size = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      size.instructions++;
      size.floats += loop_computes_float(at);
    }
  return size;
}

static bool is_much_larger(struct size now, struct size before) {
  return now.instructions > before.instructions + GROWTH_MAX || now.floats > before.floats + MORE_FLOATS_MAX;
}

// Whether there is no point in trying what becomes of all of a loop's rounds. What only chooses elements of vectors is
// worth little room, unless the rounds of a loop around it could overlap.
static bool is_too_much(const struct flow *flow, const struct loop *loop, bool is_array, bool is_of_one) {
  const struct loop_size size = loop_measure(flow, loop);
  const uint64_t most = is_array || is_of_one ? MOST_TRIED : MOST_OF_ELEMENTS;
  return size.rounds > most || size.rounds * size.instructions > most ||
         (size.computes_floats && !is_array && !is_of_one);
}

// Asks to unroll the innermost loops of all choices. Returns whether there is one that may be.
static bool mark_loops(LLVMValueRef function, bool is_of_one) {
  struct reach arrays = {0}, choices = {0}, blocks = {0};
  find_arrays(function, &arrays);
  for (size_t i = 0; i < arrays.count; i++)
    find_choices(arrays.values[i], &choices);
  const size_t of_arrays = choices.count;
  find_element_choices(function, &choices);
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
    if (loop_find_innermost(&flow, number, &loop)) {
      LLVMValueRef latch = LLVMGetBasicBlockTerminator(flow.blocks[loop.latch]);
      if (!unroll_has_hint(latch) && !is_too_much(&flow, &loop, i < of_arrays, is_of_one)) {
        unroll_ask_fully(latch);
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

static LLVMValueRef same_in(LLVMModuleRef module, LLVMValueRef function) {
  size_t length;
  return LLVMGetNamedFunction(module, LLVMGetValueName2(function, &length));
}

// What is tried of a kernel leaves the others as they are: what becomes of them depends on how often they are
// optimised.
static void leave_others(const struct kernels *kernels, LLVMModuleRef module, LLVMValueRef kernel, bool alone) {
  for (size_t i = 0; i < kernels->count; i++) {
    LLVMValueRef other = same_in(module, kernels->items[i].body);
    if (other != kernel)
      ir_leave_alone(other, alone);
  }
}

static enum status try_on(LLVMModuleRef trial, LLVMValueRef kernel, size_t chosen, bool is_of_one,
                          enum status (*optimize)(LLVMModuleRef module), bool *is_better) {
  enum status status = STATUS_OK;
  const struct size before = size_of(kernel);
  bool is_small = true;
  for (int round = 0;
       round < ROUNDS_MAX && status == STATUS_OK && !*is_better && is_small && mark_loops(kernel, is_of_one); round++) {
    status = optimize(trial);
    is_small = !is_much_larger(size_of(kernel), before);
    *is_better = status == STATUS_OK && is_small && count_chosen(kernel) < chosen;
  }
  return status;
}

enum status private_arrays_remove(LLVMModuleRef *module, struct kernels *kernels,
                                  enum status (*optimize)(LLVMModuleRef module)) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++) {
    const bool is_of_one = kernel_is_of_one(&kernels->items[i]);
    bool is_better = true;
    while (is_better && status == STATUS_OK && count_chosen(kernels->items[i].body) > 0) {
      is_better = false;
      LLVMModuleRef trial = LLVMCloneModule(*module), old = *module;
      LLVMValueRef tried = same_in(trial, kernels->items[i].body);
      leave_others(kernels, trial, tried, true);
      status = try_on(trial, tried, count_chosen(tried), is_of_one, optimize, &is_better);
      leave_others(kernels, trial, tried, false);
      for (size_t k = 0; is_better && k < kernels->count; k++)
        kernels->items[k].body = same_in(trial, kernels->items[k].body);
      *module = is_better ? trial : old;
      LLVMDisposeModule(is_better ? old : trial);
    }
  }
  return status;
}
