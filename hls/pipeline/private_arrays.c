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

// Metadata of arrays: their numbers, by which copies of a module find them; and which ones stay whatever is unrolled.
static const char NUMBER[] = "heddle.array", STAYS[] = "heddle.array.stays";

static bool has_variable_index(LLVMValueRef address) {
  for (int i = 1; i < LLVMGetNumOperands(address); i++)
    if (!LLVMIsAConstant(LLVMGetOperand(address, (unsigned)i)))
      return true;
  return false;
}

// Adds an array, and all addresses of its elements.
static void find_addresses(LLVMValueRef array, struct reach *addresses) {
  reach_add(addresses, array);
  for (size_t i = 0; i < addresses->count; i++) {  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(addresses->values[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      const bool is_address =
          LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsACastInst(user);
      if (is_address && !reach_has(addresses, user))
        reach_add(addresses, user);
    }
  }
}

// Adds the instructions that choose an element of an array.
static void find_choices(LLVMValueRef array, struct reach *choices) {
  struct reach addresses = {0};
  find_addresses(array, &addresses);
  for (size_t i = 1; i < addresses.count; i++)
    if (!LLVMIsAGetElementPtrInst(addresses.values[i]) || has_variable_index(addresses.values[i]))
      reach_add(choices, addresses.values[i]);
  reach_free(&addresses);
}

// Whether an array has more accesses than its memory has ports.
static bool has_too_many_accesses(LLVMValueRef array) {
  struct reach addresses = {0};
  find_addresses(array, &addresses);
  size_t loads = 0, stores = 0;
  for (size_t i = 0; i < addresses.count; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(addresses.values[i]); use; use = LLVMGetNextUse(use)) {
      loads += !!LLVMIsALoadInst(LLVMGetUser(use));
      stores += !!LLVMIsAStoreInst(LLVMGetUser(use));
    }
  reach_free(&addresses);
  return loads > PRIVATE_READERS_MAX || stores > PRIVATE_WRITERS_MAX;
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

static size_t count_arrays(LLVMValueRef function) {
  struct reach arrays = {0};
  find_arrays(function, &arrays);
  const size_t count = arrays.count;
  reach_free(&arrays);
  return count;
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
    if (!ir_is_marked(arrays.values[i], STAYS))
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

static void number_arrays(LLVMValueRef function) {
  struct reach arrays = {0};
  find_arrays(function, &arrays);
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  for (size_t i = 0; i < arrays.count; i++) {
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), i, 0));
    LLVMSetMetadata(arrays.values[i], LLVMGetMDKindIDInContext(context, NUMBER, sizeof NUMBER - 1),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &number, 1)));
  }
  reach_free(&arrays);
}

// Of an array that number_arrays() has seen; else `none`.
static size_t number_of(LLVMValueRef array, size_t none) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(array));
  LLVMValueRef node = LLVMGetMetadata(array, LLVMGetMDKindIDInContext(context, NUMBER, sizeof NUMBER - 1));
  struct ir_metadata number = ir_metadata_of_node(node);
  const size_t its = number.count ? ir_metadata_number(&number, 0) : none;
  ir_metadata_free(&number);
  return its;
}

// Marks the arrays of a kernel that are still there in `tried`, now with more accesses than a memory of their own can
// have: they would be in the memory port because loops went away that are of no use to them. Returns whether there are
// any that had no mark.
static bool mark_those_that_stay(LLVMValueRef kernel, LLVMValueRef tried) {
  struct reach arrays = {0}, left = {0};
  find_arrays(kernel, &arrays);
  find_arrays(tried, &left);
  bool any = false;
  for (size_t i = 0; i < left.count; i++) {
    const size_t number = number_of(left.values[i], arrays.count);
    if (number == arrays.count || !has_too_many_accesses(left.values[i]) || ir_is_marked(arrays.values[number], STAYS))
      continue;
    ir_mark(arrays.values[number], STAYS);
    any = true;
  }
  reach_free(&left);
  reach_free(&arrays);
  return any;
}

// Tries it on a copy of the module; *trial is NULL if that is not better.
static enum status try_on_copy(LLVMModuleRef module, const struct kernels *kernels, const struct kernel *kernel,
                               enum status (*optimize)(LLVMModuleRef module), LLVMModuleRef *trial) {
  bool is_better = false;
  *trial = LLVMCloneModule(module);
  LLVMValueRef tried = same_in(*trial, kernel->body);
  leave_others(kernels, *trial, tried, true);
  const enum status status = try_on(*trial, tried, count_chosen(tried), kernel_is_of_one(kernel), optimize, &is_better);
  leave_others(kernels, *trial, tried, false);
  if (!is_better) {
    LLVMDisposeModule(*trial);
    *trial = NULL;
  }
  return status;
}

// The same, once more without the loops of arrays that stay, if these are worse for it.
static enum status try_kernel(LLVMModuleRef module, const struct kernels *kernels, const struct kernel *kernel,
                              enum status (*optimize)(LLVMModuleRef module), LLVMModuleRef *trial) {
  number_arrays(kernel->body);
  enum status status = try_on_copy(module, kernels, kernel, optimize, trial);
  if (status != STATUS_OK || !*trial || !mark_those_that_stay(kernel->body, same_in(*trial, kernel->body)))
    return status;
  LLVMModuleRef other;
  status = try_on_copy(module, kernels, kernel, optimize, &other);
  if (!other)
    return status;
  const bool is_as_good = count_arrays(same_in(other, kernel->body)) <= count_arrays(same_in(*trial, kernel->body));
  LLVMDisposeModule(is_as_good ? *trial : other);
  *trial = is_as_good ? other : *trial;
  return status;
}

enum status private_arrays_remove(LLVMModuleRef *module, struct kernels *kernels,
                                  enum status (*optimize)(LLVMModuleRef module)) {
  enum status status = STATUS_OK;
  for (size_t i = 0; i < kernels->count && status == STATUS_OK; i++) {
    LLVMModuleRef trial = *module;
    while (trial && status == STATUS_OK && count_chosen(kernels->items[i].body) > 0) {
      status = try_kernel(*module, kernels, &kernels->items[i], optimize, &trial);
      for (size_t k = 0; trial && k < kernels->count; k++)
        kernels->items[k].body = same_in(trial, kernels->items[k].body);
      if (trial) {
        LLVMDisposeModule(*module);
        *module = trial;
      }
    }
  }
  return status;
}
