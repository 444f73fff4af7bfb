// SPDX-License-Identifier: Apache-2.0
// No device has instructions for half. An operation is one of float on the widened operands, and its result is rounded
// to half: for + - * / and square root that is as good as rounding once, as float has twice a half's bits and two more.
// With float instructions, widening and rounding are a few instructions in line, without a branch; without, code
// generation makes calls of them (lib/runtime/half.c). What only moves halves or their signs stays.
#include "hls/half.h"

#include <stdint.h>

#include "hls/ir.h"

struct widening {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  bool has_float_unit;
};

// `element`, or a vector of them as wide as `shape` is.
static LLVMTypeRef shaped(LLVMTypeRef shape, LLVMTypeRef element) {
  return LLVMGetTypeKind(shape) == LLVMVectorTypeKind ? LLVMVectorType(element, LLVMGetVectorSize(shape)) : element;
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

enum { ELEMENTS_MAX = 64 };

// Or a vector of them. Wider ones than OpenCL C has, which optimisation may make for a moment, are left as they are.
static bool is_half(LLVMTypeRef type) {
  return LLVMGetTypeKind(element_of(type)) == LLVMHalfTypeKind &&
         (element_of(type) == type || LLVMGetVectorSize(type) <= ELEMENTS_MAX);
}

static LLVMTypeRef float_like(const struct widening *w, LLVMTypeRef shape) {
  return shaped(shape, LLVMFloatTypeInContext(w->context));
}

static LLVMTypeRef int_like(const struct widening *w, LLVMTypeRef shape) {
  return shaped(shape, LLVMInt32TypeInContext(w->context));
}

static LLVMValueRef in_each_element(LLVMTypeRef shape, LLVMValueRef value) {
  LLVMValueRef values[ELEMENTS_MAX];
  if (LLVMGetTypeKind(shape) != LLVMVectorTypeKind)
    return value;
  unsigned count = LLVMGetVectorSize(shape);
  for (unsigned i = 0; i < count; i++)
    values[i] = value;
  return LLVMConstVector(values, count);
}

static LLVMValueRef word(const struct widening *w, LLVMTypeRef shape, uint32_t value) {
  return in_each_element(shape, LLVMConstInt(LLVMInt32TypeInContext(w->context), value, 0));
}

static LLVMValueRef number(const struct widening *w, LLVMTypeRef shape, double value) {
  return in_each_element(shape, LLVMConstReal(LLVMFloatTypeInContext(w->context), value));
}

#define FLOAT_OF(bits) LLVMBuildBitCast(b, bits, float_like(w, type), "")
#define BITS_OF(value) LLVMBuildBitCast(b, value, int_like(w, type), "")
#define WORD(value) word(w, type, value)

// Exponent and fraction go where a float has them, an exponent of all ones becomes one; then only the bias is missing,
// and a multiplication adds it also where the half is subnormal, and makes NaN quiet.
static LLVMValueRef widen(const struct widening *w, LLVMValueRef half) {
  LLVMBuilderRef b = w->builder;
  LLVMTypeRef type = LLVMTypeOf(half);
  if (LLVMIsConstant(half) || !w->has_float_unit || LLVMGetTypeKind(element_of(type)) != LLVMHalfTypeKind)
    return LLVMBuildFPExt(b, half, float_like(w, type), "");
  LLVMTypeRef narrow_bits = shaped(type, LLVMInt16TypeInContext(w->context));
  LLVMValueRef bits = LLVMBuildZExt(b, LLVMBuildBitCast(b, half, narrow_bits, ""), int_like(w, type), "");
  LLVMValueRef magnitude = LLVMBuildLShr(b, LLVMBuildShl(b, bits, WORD(17), ""), WORD(4), "");
  // The sum is negative from an exponent of all ones on.
  LLVMValueRef is_special = LLVMBuildAShr(b, LLVMBuildAdd(b, magnitude, WORD(0x70800000), ""), WORD(31), "");
  LLVMValueRef exponent = LLVMBuildAnd(b, is_special, WORD(0x7F800000), "");
  LLVMValueRef unbiased = FLOAT_OF(LLVMBuildOr(b, magnitude, exponent, ""));
  LLVMValueRef value = LLVMBuildFMul(b, unbiased, number(w, type, 0x1p112), "");
  LLVMValueRef sign = FLOAT_OF(LLVMBuildShl(b, bits, WORD(16), ""));
  return ir_build_intrinsic(w->builder, "llvm.copysign", (LLVMValueRef[]){value, sign}, 2);
}

// |x| * 2^2 is added to a power of two that is so much larger that the float's last bit has the weight of the half's
// last: the float unit rounds, and the low bits of the sum are the half's fraction with its leading one. What exceeds
// the range becomes infinite on the way. Of the bits between fraction and exponent only a NaN has one, the highest.
static LLVMValueRef narrow(const struct widening *w, LLVMValueRef value) {
  LLVMBuilderRef b = w->builder;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeRef half = shaped(type, LLVMHalfTypeInContext(w->context));
  if (LLVMIsConstant(value) || !w->has_float_unit || LLVMGetTypeKind(element_of(type)) != LLVMFloatTypeKind)
    return LLVMBuildFPTrunc(b, value, half, "");
  LLVMValueRef bits = BITS_OF(value);
  LLVMValueRef exponent = LLVMBuildAnd(b, LLVMBuildShl(b, bits, WORD(1), ""), WORD(0xFF000000), "");
  // That of the smallest normal half, at least; subnormals have its last bit.
  LLVMValueRef at_least = ir_build_intrinsic(w->builder, "llvm.umax", (LLVMValueRef[]){exponent, WORD(0x71000000)}, 2);
  LLVMValueRef power = LLVMBuildAdd(b, LLVMBuildLShr(b, at_least, WORD(1), ""), WORD(15u << 23), "");
  LLVMValueRef magnitude = ir_build_intrinsic(w->builder, "llvm.fabs", &value, 1);
  LLVMValueRef limited = LLVMBuildFMul(b, magnitude, number(w, type, 0x1p112), "");
  LLVMValueRef addends[] = {limited, number(w, type, 0x1p-110), FLOAT_OF(power)};
  LLVMValueRef sum = BITS_OF(ir_build_intrinsic(w->builder, "llvm.fma", addends, 3));
  LLVMValueRef high = LLVMBuildAnd(b, LLVMBuildLShr(b, sum, WORD(13), ""), WORD(0x7E00), "");
  LLVMValueRef low = LLVMBuildAnd(b, sum, WORD(0x0FFF), "");
  LLVMValueRef sign = LLVMBuildAnd(b, LLVMBuildLShr(b, bits, WORD(16), ""), WORD(0x8000), "");
  LLVMValueRef result = LLVMBuildOr(b, LLVMBuildAdd(b, high, low, ""), sign, "");
  LLVMValueRef narrowed = LLVMBuildTrunc(b, result, shaped(type, LLVMInt16TypeInContext(w->context)), "");
  return LLVMBuildBitCast(b, narrowed, half, "");
}

// Functions of halves that code generation knows. a * b + c may be contracted: the product is exact in float, so that
// it is the same with and without an instruction for it.
static const char *const functions[] = {
    "llvm.sqrt",       "llvm.floor",      "llvm.ceil",      "llvm.trunc",  "llvm.rint",
    "llvm.nearbyint",  "llvm.round",      "llvm.roundeven", "llvm.minnum", "llvm.maxnum",
    "llvm.minimumnum", "llvm.maximumnum", "llvm.fmuladd",
};

static const char *name_of_function(LLVMValueRef call) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (ir_calls_intrinsic(call, functions[i]))
      return functions[i];
  return NULL;
}

static LLVMValueRef widen_call(const struct widening *w, LLVMValueRef call) {
  const char *name = is_half(LLVMTypeOf(call)) ? name_of_function(call) : NULL;
  if (!name)
    return NULL;
  LLVMValueRef arguments[3] = {widen(w, LLVMGetOperand(call, 0))};
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 1; i < count; i++)
    arguments[i] = widen(w, LLVMGetOperand(call, i));
  return narrow(w, ir_build_intrinsic(w->builder, name, arguments, count));
}

// What the instruction becomes, NULL if it stays.
static LLVMValueRef replacement(void *context, LLVMValueRef at) {
  const struct widening *w = context;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  LLVMTypeRef type = LLVMTypeOf(at);
  if (opcode == LLVMCall)
    return widen_call(w, at);
  LLVMValueRef first = LLVMGetNumOperands(at) > 0 ? LLVMGetOperand(at, 0) : NULL;
  bool takes_half = first && is_half(LLVMTypeOf(first));
  switch (opcode) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
      return !takes_half
                 ? NULL
                 : narrow(w, LLVMBuildBinOp(w->builder, opcode, widen(w, first), widen(w, LLVMGetOperand(at, 1)), ""));
    case LLVMFCmp:
      return !takes_half ? NULL
                         : LLVMBuildFCmp(w->builder, LLVMGetFCmpPredicate(at), widen(w, first),
                                         widen(w, LLVMGetOperand(at, 1)), "");
    case LLVMFPToSI:
    case LLVMFPToUI:
      return !takes_half ? NULL : LLVMBuildCast(w->builder, opcode, widen(w, first), type, "");
    case LLVMFPExt:
      if (!takes_half)
        return NULL;
      first = widen(w, first);
      return LLVMTypeOf(first) == type ? first : LLVMBuildFPExt(w->builder, first, type, "");
    case LLVMFPTrunc:
      return is_half(type) ? narrow(w, first) : NULL;
    case LLVMSIToFP:
    case LLVMUIToFP:
      return !is_half(type) ? NULL : narrow(w, LLVMBuildCast(w->builder, opcode, first, float_like(w, type), ""));
    default:
      return NULL;
  }
}

bool half_widen(LLVMModuleRef module, bool has_float_unit) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct widening w = {context, module, LLVMCreateBuilderInContext(context), has_float_unit};
  const bool is_changed = ir_replace_each(module, w.builder, replacement, &w);
  LLVMDisposeBuilder(w.builder);
  return is_changed;
}
