// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/rounding.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <string.h>

#include "hls/pipeline/primitives.h"

enum { NOT_ROUNDING = -1 };

static int mode_of(LLVMValueRef instruction) {
  static const struct {
    const char *name;
    enum primitive_rounding mode;
  } roundings[] = {
      {"llvm.floor", PRIMITIVE_RDN},     {"llvm.ceil", PRIMITIVE_RUP}, {"llvm.trunc", PRIMITIVE_RTZ},
      {"llvm.round", PRIMITIVE_RMM},     {"llvm.rint", PRIMITIVE_RNE}, {"llvm.nearbyint", PRIMITIVE_RNE},
      {"llvm.roundeven", PRIMITIVE_RNE},
  };
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  const unsigned id = callee && LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
  if (id == 0 || LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMFloatTypeKind)
    return NOT_ROUNDING;
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
    if (LLVMLookupIntrinsicID(roundings[i].name, strlen(roundings[i].name)) == id)
      return (int)roundings[i].mode;
  return NOT_ROUNDING;
}

static LLVMValueRef intrinsic(LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMValueRef *arguments,
                              unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(arguments[0]);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

static bool is_word(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
}

// Where the result only becomes an integer of 32 bits, that is one conversion.
static void shorten(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call, enum primitive_rounding mode) {
  LLVMValueRef x = LLVMGetOperand(call, 0);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    const bool is_signed = LLVMIsAFPToSIInst(user);
    if ((is_signed || LLVMIsAFPToUIInst(user)) && is_word(user)) {
      LLVMPositionBuilderBefore(builder, user);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(user));
      enum primitive_meaning meaning = is_signed ? PRIMITIVE_INT_OF_FLOAT : PRIMITIVE_UINT_OF_FLOAT;
      LLVMReplaceAllUsesWith(user, primitive_build_conversion(builder, module, meaning, x, mode));
      LLVMInstructionEraseFromParent(user);
    }
  }
}

// |x| < 2^23 ? copysign((float)(int)x, x) : x. Beyond, every number is whole; NaN is not less either.
static LLVMValueRef build(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef x, enum primitive_rounding mode) {
  LLVMTypeRef real = LLVMTypeOf(x);
  LLVMValueRef whole = primitive_build_conversion(builder, module, PRIMITIVE_INT_OF_FLOAT, x, mode);
  whole = LLVMBuildSIToFP(builder, whole, real, "");
  LLVMValueRef with_sign = intrinsic(builder, module, "llvm.copysign", (LLVMValueRef[]){whole, x}, 2);
  LLVMValueRef magnitude = intrinsic(builder, module, "llvm.fabs", &x, 1);
  LLVMValueRef has_fraction = LLVMBuildFCmp(builder, LLVMRealOLT, magnitude, LLVMConstReal(real, 0x1p23), "");
  return LLVMBuildSelect(builder, has_fraction, with_sign, x, "");
}

void rounding_expand(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;) {
        LLVMValueRef call = at;
        const int mode = mode_of(call);
        if (mode != NOT_ROUNDING)
          shorten(builder, module, call, (enum primitive_rounding)mode);
        at = LLVMGetNextInstruction(call);
        if (mode == NOT_ROUNDING)
          continue;
        if (LLVMGetFirstUse(call)) {
          LLVMPositionBuilderBefore(builder, call);
          LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
          LLVMValueRef x = LLVMGetOperand(call, 0);
          LLVMReplaceAllUsesWith(call, build(builder, module, x, (enum primitive_rounding)mode));
        }
        LLVMInstructionEraseFromParent(call);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
