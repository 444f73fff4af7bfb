// SPDX-License-Identifier: Apache-2.0
// RISC-V rounds to a whole number only on the way to an integer. LLVM knows that, but makes calls of floor and its like
// where it optimises for size, as it has to here (kernel_pass.c); it keeps to the instruction only where the integer is
// what is wanted, (int)floor(x).
#include "hls/float_unit.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#define FLAG "__heddle_has_float_unit"

void float_unit_announce(LLVMModuleRef module, bool is_there) {
  LLVMValueRef flag = LLVMGetNamedGlobal(module, FLAG);
  if (flag) {
    LLVMSetInitializer(flag, LLVMConstInt(LLVMGlobalGetValueType(flag), is_there, 0));
    LLVMSetGlobalConstant(flag, 1);
    LLVMSetLinkage(flag, LLVMInternalLinkage);
  }
}

// The intrinsics, and the rounding mode of the conversion that does the same.
static const struct {
  const char *name;
  const char *mode;
} roundings[] = {
    {"llvm.floor", "rdn"}, {"llvm.ceil", "rup"},      {"llvm.trunc", "rtz"},     {"llvm.round", "rmm"},
    {"llvm.rint", "rne"},  {"llvm.nearbyint", "rne"}, {"llvm.roundeven", "rne"},
};

// The rounding mode of a call that rounds a float to a whole number, else NULL.
static const char *mode_of(LLVMValueRef instruction) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  if (!LLVMIsACallInst(instruction) || LLVMTypeOf(instruction) != LLVMFloatTypeInContext(context))
    return NULL;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  unsigned id = LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
  for (size_t i = 0; id != 0 && i < sizeof roundings / sizeof *roundings; i++)
    if (LLVMLookupIntrinsicID(roundings[i].name, strlen(roundings[i].name)) == id)
      return roundings[i].mode;
  return NULL;
}

static bool is_only_made_an_integer(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAFPToSIInst(user) && !LLVMIsAFPToUIInst(user))
      return false;
  }
  return true;
}

static LLVMValueRef intrinsic(LLVMBuilderRef builder, LLVMModuleRef module, const char *name, LLVMValueRef *arguments,
                              unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(arguments[0]);
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

// |x| < 2^23 ? copysign((float)(int)x, x) : x. Beyond, every number is whole; NaN is not less either.
static LLVMValueRef build_rounding(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef x, const char *mode) {
  LLVMTypeRef real = LLVMTypeOf(x), integer = LLVMInt32TypeInContext(LLVMGetTypeContext(real));
  char text[64];
  snprintf(text, sizeof text, "fcvt.w.s $0, $1, %s", mode);
  LLVMTypeRef type = LLVMFunctionType(integer, &real, 1, 0);
  LLVMValueRef convert =
      LLVMGetInlineAsm(type, text, strlen(text), "=r,r", strlen("=r,r"), 0, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef whole = LLVMBuildSIToFP(builder, LLVMBuildCall2(builder, type, convert, &x, 1, ""), real, "");
  LLVMValueRef with_sign = intrinsic(builder, module, "llvm.copysign", (LLVMValueRef[]){whole, x}, 2);
  LLVMValueRef magnitude = intrinsic(builder, module, "llvm.fabs", &x, 1);
  LLVMValueRef has_fraction = LLVMBuildFCmp(builder, LLVMRealOLT, magnitude, LLVMConstReal(real, 0x1p23), "");
  return LLVMBuildSelect(builder, has_fraction, with_sign, x, "");
}

static void round_inline_in(LLVMBuilderRef builder, LLVMModuleRef module, LLVMBasicBlockRef block) {
  LLVMValueRef next;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
    next = LLVMGetNextInstruction(at);
    const char *mode = mode_of(at);
    if (mode && !is_only_made_an_integer(at)) {
      LLVMPositionBuilderBefore(builder, at);
      LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
      LLVMReplaceAllUsesWith(at, build_rounding(builder, module, LLVMGetOperand(at, 0), mode));
      LLVMInstructionEraseFromParent(at);
    }
  }
}

void float_unit_round_inline(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      round_inline_in(builder, module, block);
  LLVMDisposeBuilder(builder);
}
