// SPDX-License-Identifier: Apache-2.0
#include "hls/active_sets.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "hls/ir.h"

enum { SCOPE_OPERAND = 2, SCOPE_MASK = 3, SCOPE_ACTIVE = 2 };  // lib/device.h; bit 2 of a scope says 64 bits

static const char *collective_text(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction) || !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
    return NULL;
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(instruction), &length);
  return text && strstr(text, "CUSTOM_0") ? text : NULL;
}

static bool has_barrier_first(const char *text) {
  return text && strstr(text, "x0, x0, x0\n");
}

// The collective before it is one with a barrier in its statement (lib/collective_trees.cl): its lanes are together.
static bool is_behind_barrier(LLVMValueRef instruction) {
  const char *text = NULL;
  do {
    instruction = LLVMGetPreviousInstruction(instruction);
    text = instruction ? collective_text(instruction) : NULL;
  } while (instruction && !text);
  return has_barrier_first(text);
}

static bool is_active_set(LLVMValueRef instruction) {
  if (!collective_text(instruction) || LLVMGetNumArgOperands(instruction) <= SCOPE_OPERAND)
    return false;
  LLVMValueRef scope = LLVMIsAConstantInt(LLVMGetOperand(instruction, SCOPE_OPERAND));
  return scope && (LLVMConstIntGetZExtValue(scope) & SCOPE_MASK) == SCOPE_ACTIVE;
}

static void find(LLVMValueRef instruction, void *context) {
  struct active_sets *found = context;
  if (is_active_set(instruction)) {
    found->any = true;
    found->alone = found->alone || !is_behind_barrier(instruction);
  }
}

struct active_sets active_sets_find(LLVMModuleRef module) {
  struct active_sets found = {0};
  ir_each_instruction(module, find, &found);
  return found;
}

// ---- before anything is inlined

// Of one function, and of what it calls: functions come after those that they call.
struct caller {
  const struct reach *alone, *with_barrier;
  bool has_active_set, has_barrier;
};

static void look_at(LLVMValueRef instruction, struct caller *caller) {
  if (!LLVMIsACallInst(instruction))
    return;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  const char *text = collective_text(instruction);
  const bool has_barrier = has_barrier_first(text);
  caller->has_barrier = caller->has_barrier || has_barrier || reach_has(caller->with_barrier, callee);
  caller->has_active_set =
      caller->has_active_set || (is_active_set(instruction) && !has_barrier) || reach_has(caller->alone, callee);
}

void active_sets_callers(LLVMModuleRef module, struct reach *functions) {
  struct reach order = {0}, with_barrier = {0};
  call_graph_order(module, &order);
  for (size_t i = 0; i < order.count; i++) {
    LLVMValueRef f = order.values[i];
    struct caller caller = {.alone = functions, .with_barrier = &with_barrier};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef at = LLVMGetFirstInstruction(b); at; at = LLVMGetNextInstruction(at))
        look_at(at, &caller);
    const bool is_of_library = !LLVMGetSubprogram(f);
    if (caller.has_barrier && is_of_library)
      reach_add(&with_barrier, f);
    if (caller.has_active_set && !(caller.has_barrier && is_of_library))
      reach_add(functions, f);
  }
  reach_free(&with_barrier);
  reach_free(&order);
}
