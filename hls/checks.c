// SPDX-License-Identifier: Apache-2.0
// The device keeps memory in order for everybody, so kernels need neither fences nor other instructions for atomic
// loads and stores than for plain ones. Who looks for races does (checks.h).
#include "hls/checks.h"

#include <stdbool.h>
#include <string.h>

#include "hls/ir.h"

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
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
