// SPDX-License-Identifier: Apache-2.0
// A division whose divisor is no constant becomes an intrinsic that LLVM knows nothing of but that it has no effects
// (llvm.riscv.moprr, a "may be" operation; no device of ours has these instructions). Optimisation thus draws no
// conclusions from it: neither that the divisor is not 0, nor how large the quotient is. At the end it becomes the
// device's instruction, or the function of the run-time library, which have a value for all operands.
//
// A divisor may turn out to be a constant once functions are inlined. llvm.is.constant notices, and the division is
// then one that LLVM optimises as ever:
//   usual = is_constant(b) && b != 0 && b != -1;
//   result = usual ? a / (usual ? b : 1) : opaque(a, b);
// LLVM decides is_constant before it is done, so that one of the two is left and no comparison.
//
// A conversion is frozen: it has one value, whatever it is. Those to 8 and 16 bits are made of one to 32, as code
// generation otherwise relies on that the value fits.
#include "hls/defined.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

#include "hls/ir.h"

#define OPAQUE "llvm.riscv.moprr"
#define IS_CONSTANT "llvm.is.constant"

// The operations; their number is the intrinsic's third argument.
static const struct division {
  LLVMOpcode opcode;
  bool is_signed, is_remainder;
  const char *instruction;  // of M
  const char *function32, *function64;
} divisions[] = {
    {LLVMUDiv, false, false, "divu $0, $1, $2", "__udivsi3", "__udivdi3"},
    {LLVMSDiv, true, false, "div $0, $1, $2", "__divsi3", "__divdi3"},
    {LLVMURem, false, true, "remu $0, $1, $2", "__umodsi3", "__umoddi3"},
    {LLVMSRem, true, true, "rem $0, $1, $2", "__modsi3", "__moddi3"},
};
enum { DIVISIONS = sizeof divisions / sizeof *divisions };

static const struct division *division_of(LLVMValueRef at) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  for (size_t i = 0; i < DIVISIONS; i++)
    if (divisions[i].opcode == opcode)
      return &divisions[i];
  return NULL;
}

struct defining {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  bool optimize, has_divider;
};

static LLVMValueRef number(LLVMTypeRef type, long long value) {
  return LLVMConstInt(type, (unsigned long long)value, 1);
}

// Whether LLVM defines every division of that kind by it.
static bool is_usual(LLVMValueRef divisor, const struct division *division) {
  return LLVMIsAConstantInt(divisor) && LLVMConstIntGetSExtValue(divisor) != 0 &&
         (!division->is_signed || LLVMConstIntGetSExtValue(divisor) != -1);
}

static bool all_usual(LLVMValueRef divisor, const struct division *division) {
  LLVMTypeRef type = LLVMTypeOf(divisor);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return is_usual(divisor, division);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    LLVMValueRef element = LLVMIsAConstant(divisor) ? LLVMGetAggregateElement(divisor, i) : NULL;
    if (!element || !is_usual(element, division))
      return false;
  }
  return true;
}

// 1 << n is never 0, and LLVM divides by it with a shift.
static bool is_power_of_two(LLVMValueRef divisor) {
  if (!LLVMIsAInstruction(divisor) || LLVMGetInstructionOpcode(divisor) != LLVMShl)
    return false;
  LLVMValueRef one = LLVMGetOperand(divisor, 0);
  return LLVMIsAConstantInt(one) && LLVMConstIntGetZExtValue(one) == 1;
}

// Of 32 or 64 bits.
static LLVMValueRef divide(const struct defining *d, const struct division *division, LLVMValueRef a, LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(b);
  if (is_usual(b, division) || is_power_of_two(b))
    return LLVMBuildBinOp(d->builder, division->opcode, a, b, "");
  LLVMValueRef code = number(type, division - divisions);
  LLVMValueRef arguments[] = {a, b, code};
  LLVMValueRef opaque = ir_build_intrinsic(d->builder, OPAQUE, arguments, 3);
  if (!d->optimize)
    return opaque;
  // b + 1 is above 1 unless b is 0 or -1.
  LLVMValueRef in_range =
      division->is_signed
          ? LLVMBuildICmp(d->builder, LLVMIntUGT, LLVMBuildAdd(d->builder, b, number(type, 1), ""), number(type, 1), "")
          : LLVMBuildICmp(d->builder, LLVMIntNE, b, number(type, 0), "");
  LLVMValueRef usual = LLVMBuildAnd(d->builder, ir_build_intrinsic(d->builder, IS_CONSTANT, &b, 1), in_range, "");
  LLVMValueRef divisor = LLVMBuildSelect(d->builder, usual, b, number(type, 1), "");
  LLVMValueRef result = LLVMBuildBinOp(d->builder, division->opcode, a, divisor, "");
  return LLVMBuildSelect(d->builder, usual, result, opaque, "");
}

// Of any width up to 64 bits.
static LLVMValueRef divide_scalar(const struct defining *d, const struct division *division, LLVMValueRef a,
                                  LLVMValueRef b) {
  LLVMTypeRef type = LLVMTypeOf(a);
  const unsigned bits = LLVMGetIntTypeWidth(type);
  if (bits == 32 || bits == 64)
    return divide(d, division, a, b);
  LLVMTypeRef wide = LLVMIntTypeInContext(d->context, bits < 32 ? 32 : 64);
  LLVMOpcode extend = division->is_signed ? LLVMSExt : LLVMZExt;
  LLVMValueRef result = divide(d, division, LLVMBuildCast(d->builder, extend, a, wide, ""),
                               LLVMBuildCast(d->builder, extend, b, wide, ""));
  return LLVMBuildTrunc(d->builder, result, type, "");
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static LLVMValueRef protected_division(const struct defining *d, LLVMValueRef at) {
  const struct division *division = division_of(at);
  LLVMValueRef a = LLVMGetOperand(at, 0), b = LLVMGetOperand(at, 1);
  LLVMTypeRef type = LLVMTypeOf(at);
  if (all_usual(b, division) || LLVMGetIntTypeWidth(element_of(type)) > 64)
    return NULL;
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return divide_scalar(d, division, a, b);
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    LLVMValueRef index = number(LLVMInt32TypeInContext(d->context), i);
    LLVMValueRef element = divide_scalar(d, division, LLVMBuildExtractElement(d->builder, a, index, ""),
                                         LLVMBuildExtractElement(d->builder, b, index, ""));
    result = LLVMBuildInsertElement(d->builder, result, element, index, "");
  }
  return result;
}

static LLVMValueRef protected_conversion(const struct defining *d, LLVMValueRef at) {
  LLVMTypeRef type = LLVMTypeOf(at);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  if (LLVMGetIntTypeWidth(element_of(type)) >= 32) {
    LLVMValueRef again = LLVMBuildCast(d->builder, opcode, LLVMGetOperand(at, 0), type, "");
    return LLVMBuildFreeze(d->builder, again, "");
  }
  LLVMTypeRef wide = LLVMInt32TypeInContext(d->context);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    wide = LLVMVectorType(wide, LLVMGetVectorSize(type));
  LLVMValueRef value = LLVMBuildFPToSI(d->builder, LLVMGetOperand(at, 0), wide, "");
  return LLVMBuildTrunc(d->builder, LLVMBuildFreeze(d->builder, value, ""), type, "");
}

// What the instruction becomes, NULL if it stays.
static LLVMValueRef protected_form(void *context, LLVMValueRef at) {
  const struct defining *d = context;
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
      return protected_division(d, at);
    case LLVMFPToUI:
    case LLVMFPToSI:
      return protected_conversion(d, at);
    default:
      return NULL;
  }
}

// clang has folded operations on constants already: what has no value is poison. It gets one, 0. NULL: it is none.
static LLVMValueRef with_a_value(LLVMValueRef constant) {
  if (LLVMIsPoison(constant))
    return LLVMConstNull(LLVMTypeOf(constant));
  if (!LLVMIsAConstantVector(constant))
    return NULL;
  LLVMValueRef elements[64];
  const unsigned count = LLVMGetVectorSize(LLVMTypeOf(constant));
  bool is_changed = false;
  for (unsigned i = 0; i < count && count <= sizeof elements / sizeof *elements; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(constant, i);
    LLVMValueRef value = with_a_value(element);
    elements[i] = value ? value : element;
    is_changed |= !!value;
  }
  return is_changed ? LLVMConstVector(elements, count) : NULL;
}

// Whether the operand is a vector or structure that is not there yet, or that nothing is taken from.
static bool is_filler(LLVMValueRef at, unsigned index) {
  if (LLVMIsAInsertElementInst(at) || LLVMIsAInsertValueInst(at))
    return index == 0 && LLVMIsPoison(LLVMGetOperand(at, 0));
  if (!LLVMIsAShuffleVectorInst(at) || !LLVMIsPoison(LLVMGetOperand(at, index)))
    return false;
  const int size = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(at, index)));
  for (unsigned i = 0; i < LLVMGetNumMaskElements(at); i++) {
    const int from = LLVMGetMaskValue(at, i);
    if (from != LLVMGetUndefMaskElem() && from / size == (int)index)
      return false;
  }
  return true;
}

static void give_values_to_operands(LLVMValueRef at) {
  for (int i = 0; i < LLVMGetNumOperands(at); i++) {
    LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
    if (!operand || !LLVMIsAConstant(operand) || is_filler(at, (unsigned)i))
      continue;
    LLVMValueRef value = with_a_value(operand);
    if (value)
      LLVMSetOperand(at, (unsigned)i, value);
  }
}

void defined_protect(LLVMModuleRef module, bool optimize) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct defining d = {context, module, LLVMCreateBuilderInContext(context), optimize, false};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    // Poison in the built-in library is LLVM's own: it has been optimised.
    LLVMBasicBlockRef block = LLVMGetSubprogram(f) ? LLVMGetFirstBasicBlock(f) : NULL;
    for (; block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        give_values_to_operands(at);
  }
  ir_replace_each(module, d.builder, protected_form, &d);
  LLVMDisposeBuilder(d.builder);
}

// Which division a call of the intrinsic stands for, NULL if it is none.
static const struct division *hidden_division(LLVMValueRef at) {
  LLVMValueRef callee = ir_callee(at);
  return callee && LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(OPAQUE, strlen(OPAQUE))
             ? &divisions[LLVMConstIntGetZExtValue(LLVMGetOperand(at, 2)) % DIVISIONS]
             : NULL;
}

static LLVMValueRef shown_form(void *context, LLVMValueRef at) {
  const struct defining *d = context;
  const struct division *division = hidden_division(at);
  if (!division)
    return NULL;
  LLVMValueRef a = LLVMGetOperand(at, 0), b = LLVMGetOperand(at, 1);
  if (!division->is_signed && is_power_of_two(b)) {
    return division->is_remainder
               ? LLVMBuildAnd(d->builder, a, LLVMBuildAdd(d->builder, b, number(LLVMTypeOf(b), -1), ""), "")
               : LLVMBuildLShr(d->builder, a, LLVMGetOperand(b, 1), "");
  }
  if (!LLVMIsAConstantInt(b) || is_usual(b, division))
    return LLVMBuildBinOp(d->builder, division->opcode, a, b, "");
  // What the device has for them.
  const bool by_zero = LLVMConstIntGetZExtValue(b) == 0;
  if (division->is_remainder)
    return by_zero ? a : number(LLVMTypeOf(a), 0);
  return by_zero ? number(LLVMTypeOf(a), -1) : LLVMBuildNeg(d->builder, a, "");
}

void defined_show(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct defining d = {context, module, LLVMCreateBuilderInContext(context), false, false};
  ir_replace_each(module, d.builder, shown_form, &d);
  LLVMDisposeBuilder(d.builder);
}

static LLVMAttributeRef attribute(const struct defining *d, const char *name) {
  return LLVMCreateEnumAttribute(d->context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
}

// The device's way to divide, of a type that it has one for.
static LLVMValueRef divider(const struct defining *d, const struct division *division, LLVMTypeRef function,
                            bool has_instruction, bool is_long) {
  if (has_instruction) {
    return LLVMGetInlineAsm(function, division->instruction, strlen(division->instruction), "=r,r,r", strlen("=r,r,r"),
                            0, 0, LLVMInlineAsmDialectATT, 0);
  }
  const char *name = is_long ? division->function64 : division->function32;
  LLVMValueRef callee = LLVMGetNamedFunction(d->module, name);
  return callee ? callee : LLVMAddFunction(d->module, name, function);
}

static LLVMValueRef final_form(void *context, LLVMValueRef at) {
  const struct defining *d = context;
  const struct division *division = division_of(at);
  LLVMTypeRef type = LLVMTypeOf(at);
  if (!division || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < 32 ||
      is_usual(LLVMGetOperand(at, 1), division)) {
    return NULL;
  }
  LLVMValueRef arguments[] = {LLVMGetOperand(at, 0), LLVMGetOperand(at, 1)};
  LLVMTypeRef function = LLVMFunctionType(type, (LLVMTypeRef[]){type, type}, 2, 0);
  const bool is_long = LLVMGetIntTypeWidth(type) == 64;
  LLVMValueRef callee = divider(d, division, function, d->has_divider && !is_long, is_long);
  LLVMValueRef call = LLVMBuildCall2(d->builder, function, callee, arguments, 2, "");
  static const char *const attributes[] = {"memory", "nounwind", "willreturn"};  // memory: none
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute(d, attributes[i]));
  return call;
}

enum status defined_restore(LLVMModuleRef module, LLVMTargetMachineRef machine, bool has_divider) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct defining d = {context, module, LLVMCreateBuilderInContext(context), false, has_divider};
  defined_show(module);
  // A quotient and a remainder of the same numbers need one division.
  enum status status = ir_run_passes(module, machine, "divisions", "function(div-rem-pairs)");
  ir_replace_each(module, d.builder, final_form, &d);
  LLVMDisposeBuilder(d.builder);
  return status;
}
