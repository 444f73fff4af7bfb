// SPDX-License-Identifier: Apache-2.0
// Reachability over operands. OpenCL C has no function pointers, so a function that is named is one that is called.
#include "hls/call_graph.h"

#include <stdio.h>
#include <stdlib.h>

#include "hls/ir.h"

bool reach_has(const struct reach *reach, LLVMValueRef value) {
  for (size_t i = 0; i < reach->count; i++)
    if (reach->values[i] == value)
      return true;
  return false;
}

void reach_add(struct reach *reach, LLVMValueRef value) {
  if (reach->count == reach->capacity) {
    reach->capacity = reach->capacity * 2 + 32;
    reach->values = realloc(reach->values, reach->capacity * sizeof *reach->values);
    if (!reach->values)
      abort();
  }
  reach->values[reach->count++] = value;
}

// Globals named anywhere inside a constant. Data arrays hold numbers only and can be large: not looked into.
static void add_from_constant(LLVMValueRef constant, struct reach *reach) {
  if (LLVMIsAFunction(constant) || LLVMIsAGlobalVariable(constant)) {
    if (!reach_has(reach, constant))
      reach_add(reach, constant);
    return;
  }
  if (LLVMIsAConstantDataSequential(constant))
    return;
  int count = LLVMGetNumOperands(constant);
  for (int i = 0; i < count; i++) {
    LLVMValueRef operand = LLVMGetOperand(constant, (unsigned)i);
    if (operand && LLVMIsAConstant(operand))
      add_from_constant(operand, reach);
  }
}

static void add_from_instructions(LLVMValueRef function, struct reach *reach) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      int count = LLVMGetNumOperands(at);
      for (int i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
        if (operand && LLVMIsAConstant(operand))
          add_from_constant(operand, reach);
      }
    }
  }
}

static void add_named_by(LLVMValueRef value, struct reach *reach) {
  if (LLVMIsAFunction(value))
    add_from_instructions(value, reach);
  else if (LLVMGetInitializer(value))
    add_from_constant(LLVMGetInitializer(value), reach);
}

void reach_from(LLVMValueRef function, struct reach *reach) {
  size_t next = reach->count;
  if (!reach_has(reach, function))
    reach_add(reach, function);
  for (; next < reach->count; next++)  // grows while it runs
    add_named_by(reach->values[next], reach);
}

void reach_free(struct reach *reach) {
  free(reach->values);
  *reach = (struct reach){0};
}

// Depth first; deep enough for any call graph, as that has no cycles.
static void add_after_callees(LLVMValueRef function, struct reach *order) {
  if (!LLVMIsAFunction(function) || LLVMIsDeclaration(function) || reach_has(order, function))
    return;
  struct reach named = {0};
  add_from_instructions(function, &named);
  for (size_t i = 0; i < named.count; i++)
    add_after_callees(named.values[i], order);
  reach_free(&named);
  reach_add(order, function);
}

void call_graph_order(LLVMModuleRef module, struct reach *order) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
    add_after_callees(function, order);
}

enum status call_graph_check(LLVMModuleRef module) {
  enum status status = STATUS_OK;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function))
      continue;
    struct reach reach = {0};
    add_named_by(function, &reach);
    for (size_t i = 0; i < reach.count && !reach_has(&reach, function); i++)
      add_named_by(reach.values[i], &reach);
    if (reach_has(&reach, function)) {
      int length;
      const char *name = ir_source_name(function, &length);
      ir_print_place_of_function(function);
      fprintf(stderr, "error: function '%.*s' calls itself; OpenCL C does not have recursion\n", length, name);
      status = STATUS_REJECTED;
    }
    reach_free(&reach);
  }
  return status;
}
