// SPDX-License-Identifier: Apache-2.0
// RISC-V rounds to a whole number only on the way to an integer. LLVM knows that, but makes calls of floor and its like
// where it optimises for size, as it has to here (kernel_pass.c); it keeps to the instruction only where the integer is
// what is wanted, (int)floor(x).
#include "hls/float_unit.h"

#include <stdio.h>
#include <string.h>

#include "hls/ir.h"

#define FLAG "__heddle_has_float_unit"

void float_unit_announce(LLVMModuleRef module, bool is_there) {
  LLVMValueRef flag = LLVMGetNamedGlobal(module, FLAG);
  if (flag) {
    LLVMSetInitializer(flag, LLVMConstInt(LLVMGlobalGetValueType(flag), is_there, 0));
    LLVMSetGlobalConstant(flag, 1);
    LLVMSetLinkage(flag, LLVMInternalLinkage);
  }
}

enum float_rounding float_unit_rounding_of(LLVMValueRef instruction) {
  static const struct {
    const char *intrinsic;
    enum float_rounding mode;
  } roundings[] = {
      {"llvm.floor", FLOAT_RDN},     {"llvm.ceil", FLOAT_RUP}, {"llvm.trunc", FLOAT_RTZ},
      {"llvm.round", FLOAT_RMM},     {"llvm.rint", FLOAT_RNE}, {"llvm.nearbyint", FLOAT_RNE},
      {"llvm.roundeven", FLOAT_RNE},
  };
  if (LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMFloatTypeKind)
    return FLOAT_UNROUNDED;
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
    if (ir_calls_intrinsic(instruction, roundings[i].intrinsic))
      return roundings[i].mode;
  return FLOAT_UNROUNDED;
}

LLVMValueRef float_unit_build_whole(LLVMBuilderRef builder, LLVMValueRef x, LLVMValueRef integer) {
  LLVMTypeRef real = LLVMTypeOf(x);
  LLVMValueRef whole = LLVMBuildSIToFP(builder, integer, real, "");
  LLVMValueRef with_sign = ir_build_intrinsic(builder, "llvm.copysign", (LLVMValueRef[]){whole, x}, 2);
  LLVMValueRef magnitude = ir_build_intrinsic(builder, "llvm.fabs", &x, 1);
  LLVMValueRef has_fraction = LLVMBuildFCmp(builder, LLVMRealOLT, magnitude, LLVMConstReal(real, 0x1p23), "");
  return LLVMBuildSelect(builder, has_fraction, with_sign, x, "");
}

static bool is_only_made_an_integer(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAFPToSIInst(user) && !LLVMIsAFPToUIInst(user))
      return false;
  }
  return true;
}

static LLVMValueRef build_conversion(LLVMBuilderRef builder, LLVMValueRef x, enum float_rounding mode) {
  static const char *const names[] = {
      [FLOAT_RNE] = "rne", [FLOAT_RTZ] = "rtz", [FLOAT_RDN] = "rdn", [FLOAT_RUP] = "rup", [FLOAT_RMM] = "rmm"};
  LLVMTypeRef real = LLVMTypeOf(x), integer = LLVMInt32TypeInContext(LLVMGetTypeContext(real));
  char text[64];
  snprintf(text, sizeof text, "fcvt.w.s $0, $1, %s", names[mode]);
  LLVMTypeRef type = LLVMFunctionType(integer, &real, 1, 0);
  LLVMValueRef convert =
      LLVMGetInlineAsm(type, text, strlen(text), "=r,r", strlen("=r,r"), 0, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, type, convert, &x, 1, "");
}

static LLVMValueRef replacement(void *context, LLVMValueRef at) {
  LLVMBuilderRef builder = context;
  const enum float_rounding mode = float_unit_rounding_of(at);
  if (mode == FLOAT_UNROUNDED || is_only_made_an_integer(at))
    return NULL;
  LLVMValueRef x = LLVMGetOperand(at, 0);
  return float_unit_build_whole(builder, x, build_conversion(builder, x, mode));
}

void float_unit_round_inline(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_replace_each(module, builder, replacement, builder);
  LLVMDisposeBuilder(builder);
}
