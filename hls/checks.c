// SPDX-License-Identifier: Apache-2.0
// The device keeps memory in order for everybody, so kernels need neither fences nor other instructions for atomic
// loads and stores than for plain ones. Who looks for races does (checks.h).
#include "hls/checks.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "contract/device_map.h"
#include "hls/ir.h"
#include "hls/local_memory.h"

enum { MOST_WORD_BITS = 32 };

static bool is_word(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMPointerTypeKind ||
         (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == MOST_WORD_BITS);
}

static LLVMValueRef as_type(LLVMBuilderRef builder, LLVMValueRef word, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
      return LLVMBuildIntToPtr(builder, word, type, "");
    case LLVMFloatTypeKind:
      return LLVMBuildBitCast(builder, word, type, "");
    default:
      return word;
  }
}

static LLVMValueRef as_word(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef word) {
  switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMPointerTypeKind:
      return LLVMBuildPtrToInt(builder, value, word, "");
    case LLVMFloatTypeKind:
      return LLVMBuildBitCast(builder, value, word, "");
    default:
      return value;
  }
}

// An atomic load is an or with 0, an atomic store an exchange. Volatile: else optimisation would make them what they
// were. That of a volatile access has both aq and rl, which no other has.
static void replace_access(LLVMValueRef access, LLVMBuilderRef builder) {
  const bool is_load = LLVMIsALoadInst(access);
  LLVMTypeRef type = is_load ? LLVMTypeOf(access) : LLVMTypeOf(LLVMGetOperand(access, 0));
  if (!is_word(type))
    return;
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(builder, access);
  LLVMValueRef value = is_load ? LLVMConstInt(word, 0, 0) : as_word(builder, LLVMGetOperand(access, 0), word);
  LLVMValueRef pointer = LLVMGetOperand(access, is_load ? 0 : 1);
  const bool is_atomic = LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
  LLVMValueRef amo =
      LLVMBuildAtomicRMW(builder, is_load ? LLVMAtomicRMWBinOpOr : LLVMAtomicRMWBinOpXchg, pointer, value,
                         is_atomic ? LLVMAtomicOrderingMonotonic : LLVMAtomicOrderingAcquireRelease, 0);
  LLVMSetVolatile(amo, 1);
  if (is_load)
    LLVMReplaceAllUsesWith(access, as_type(builder, amo, type));
  LLVMInstructionEraseFromParent(access);
}

// The flags of a barrier: which memory it orders. Before its call stands lui to x0 with them.
static void show_flags(LLVMValueRef call, LLVMBuilderRef builder) {
  static const char *const names[] = {"barrier", "work_group_barrier", "sub_group_barrier"};
  static const char constraints[] = "~{memory}";
  LLVMValueRef function = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  LLVMValueRef flags = function && LLVMGetNumArgOperands(call) > 0 ? LLVMIsAConstantInt(LLVMGetOperand(call, 0)) : NULL;
  char text[32];
  int length;
  if (!flags)
    return;
  const char *name = ir_source_name(function, &length);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if ((size_t)length != strlen(names[i]) || memcmp(name, names[i], (size_t)length) != 0)
      continue;
    const int bytes = snprintf(text, sizeof text, "lui zero, %u",
                               HEDDLE_CHECK_FLAGS | ((unsigned)LLVMConstIntGetZExtValue(flags) & 3));
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetTypeContext(LLVMTypeOf(flags))), NULL, 0, 0);
    LLVMPositionBuilderBefore(builder, call);
    LLVMBuildCall2(builder, type,
                   LLVMGetInlineAsm(type, text, (size_t)bytes, constraints, sizeof constraints - 1, 1, 0,
                                    LLVMInlineAsmDialectATT, 0),
                   NULL, 0, "");
  }
}

// What holds the compiler alone: assembly of no instruction that may access memory.
static bool is_compiler_fence(LLVMValueRef call) {
  size_t length = 1;
  if (!LLVMIsACallInst(call) || !LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
    return false;
  LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  if (length != 0)
    return false;
  const char *constraints = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length);
  return length == strlen("~{memory}") && memcmp(constraints, "~{memory}", length) == 0;
}

static void replace_fence(LLVMValueRef call, LLVMBuilderRef builder) {
  static const char text[] = "fence", constraints[] = "~{memory}";
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  LLVMValueRef fence = LLVMGetInlineAsm(type, text, sizeof text - 1, constraints, sizeof constraints - 1, 1, 0,
                                        LLVMInlineAsmDialectATT, 0);
  LLVMPositionBuilderBefore(builder, call);
  LLVMBuildCall2(builder, type, fence, NULL, 0, "");
  LLVMInstructionEraseFromParent(call);
}

// Programs that are older than atomics of OpenCL C 2.0 wait for each other by volatile variables.
static bool is_for_others(LLVMValueRef instruction) {
  return (LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction)) &&
         (LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic ||
          (LLVMGetVolatile(instruction) && LLVMGetAlignment(instruction) >= 4));
}

void checks_show_orders(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        if (is_for_others(at))
          replace_access(at, builder);
        else if (is_compiler_fence(at))
          replace_fence(at, builder);
        else
          show_flags(at, builder);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}

// ---- variables

// The first place of a function behind the variables on its stack.
static LLVMValueRef first_behind_allocas(LLVMValueRef function) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), behind = at;
  for (; at; at = LLVMGetNextInstruction(at))
    if (LLVMIsAAllocaInst(at))
      behind = LLVMGetNextInstruction(at);
  return behind;
}

// The address with its mark. Without side effects: where nobody uses it, it goes.
static LLVMValueRef build_mark(LLVMBuilderRef builder, LLVMValueRef address, uint64_t bytes) {
  static const char constraints[] = "=r,r";
  char text[64];
  LLVMTypeRef pointer = LLVMTypeOf(address);
  LLVMTypeRef type = LLVMFunctionType(pointer, &pointer, 1, 0);
  const int length = snprintf(text, sizeof text, "mv $0, $1\n\tlui zero, %u", (unsigned)bytes);
  LLVMValueRef mark = LLVMGetInlineAsm(type, text, (size_t)length, constraints, sizeof constraints - 1, 0, 0,
                                       LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, type, mark, &address, 1, "");
}

// What a constant becomes when `variable`, from which it is made, is `marked` in its place; NULL: it is not made of it,
// or in a way that is left as it is.
static LLVMValueRef remade(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef variable, LLVMValueRef marked) {
  enum { MOST_INDICES = 8 };
  if (value == variable)
    return marked;
  if (!LLVMIsAConstantExpr(value))
    return NULL;
  LLVMValueRef base = remade(builder, LLVMGetOperand(value, 0), variable, marked), indices[MOST_INDICES];
  const unsigned count = (unsigned)LLVMGetNumOperands(value) - 1;
  if (!base || count > MOST_INDICES)
    return NULL;
  for (unsigned i = 0; i < count; i++)
    indices[i] = LLVMGetOperand(value, i + 1);
  switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr:
      return LLVMBuildGEP2(builder, LLVMGetGEPSourceElementType(value), base, indices, count, "");
    case LLVMAddrSpaceCast:
      return LLVMBuildAddrSpaceCast(builder, base, LLVMTypeOf(value), "");
    case LLVMPtrToInt:
      return LLVMBuildPtrToInt(builder, base, LLVMTypeOf(value), "");
    default:
      return NULL;
  }
}

// Where an operand of an instruction is made: of a phi in the block that it comes from.
static void position_for(LLVMBuilderRef builder, LLVMValueRef user, unsigned operand) {
  if (LLVMIsAPHINode(user))
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand)));
  else
    LLVMPositionBuilderBefore(builder, user);
}

// Lifetimes are told of the variable itself.
static bool is_intrinsic_call(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction))
    return false;
  LLVMValueRef called = LLVMIsAFunction(LLVMGetCalledValue(instruction));
  size_t length = 0;
  return called && strncmp(LLVMGetValueName2(called, &length), "llvm.lifetime.", strlen("llvm.lifetime.")) == 0;
}

// Makes all instructions of a function but the mark itself use the marked address.
static void use_mark(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef variable, LLVMValueRef marked) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      const unsigned count = at == marked || is_intrinsic_call(at) ? 0 : (unsigned)LLVMGetNumOperands(at);
      for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(at, i);
        if (operand != variable && !LLVMIsAConstantExpr(operand))
          continue;
        position_for(builder, at, i);
        LLVMValueRef value = remade(builder, operand, variable, marked);
        if (value)
          LLVMSetOperand(at, i, value);
      }
    }
  }
}

static void mark_variable(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef variable, uint64_t bytes) {
  enum { MOST_BYTES = HEDDLE_CHECK_FLAGS };
  LLVMValueRef place = first_behind_allocas(function);
  if (!place || bytes == 0 || bytes >= MOST_BYTES)
    return;
  LLVMPositionBuilderBefore(builder, place);
  LLVMSetCurrentDebugLocation2(builder, NULL);
  use_mark(builder, function, variable, build_mark(builder, variable, bytes));
}

static void mark_stack(LLVMBuilderRef builder, LLVMValueRef function, LLVMTargetDataRef layout) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), next; at; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMValueRef count = LLVMIsAAllocaInst(at) ? LLVMGetOperand(at, 0) : NULL;
    if (count && LLVMIsAConstantInt(count))
      mark_variable(builder, function, at,
                    LLVMABISizeOfType(layout, LLVMGetAllocatedType(at)) * LLVMConstIntGetZExtValue(count));
  }
}

void checks_mark_variables(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
      if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE)
        mark_variable(builder, f, g, LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g)));
    mark_stack(builder, f, layout);
  }
  LLVMDisposeBuilder(builder);
}
