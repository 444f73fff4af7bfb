// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/vectors.h"

#include <stdbool.h>
#include <stdlib.h>

#include "hls/ir.h"

enum { ELEMENTS_MAX = 128 };

// A value as a row of numbers of `width` bits; a scalar is a row of one.
struct row {
  LLVMTypeRef type, element;
  unsigned count, width;
};

static unsigned bits_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
      return 16;
    case LLVMDoubleTypeKind:
      return 64;
    default:
      return 32;  // float, pointers
  }
}

static struct row row_of(LLVMTypeRef type) {
  const bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
  return (struct row){type, element, is_vector ? LLVMGetVectorSize(type) : 1, bits_of(element)};
}

static LLVMTypeRef integer(LLVMBuilderRef builder, unsigned width) {
  return LLVMIntTypeInContext(LLVMGetBuilderContext(builder), width);
}

static LLVMValueRef index_value(LLVMBuilderRef builder, unsigned index) {
  return LLVMConstInt(integer(builder, 32), index, 0);
}

static LLVMValueRef build_element(LLVMBuilderRef builder, LLVMValueRef value, const struct row *row, unsigned index) {
  LLVMValueRef element =
      row->type == row->element ? value : LLVMBuildExtractElement(builder, value, index_value(builder, index), "");
  return LLVMBuildBitCast(builder, element, integer(builder, row->width), "");
}

// Bits of a row of numbers, from bit `first` on, as one number of `width` bits. Widths divide each other.
static LLVMValueRef build_bits(LLVMBuilderRef builder, LLVMValueRef *numbers, unsigned number_width, unsigned first,
                               unsigned width) {
  LLVMTypeRef type = integer(builder, width);
  if (number_width >= width) {
    LLVMValueRef number = numbers[first / number_width];
    LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(number), first % number_width, 0);
    return LLVMBuildTrunc(builder, LLVMBuildLShr(builder, number, shift, ""), type, "");
  }
  LLVMValueRef result = LLVMConstNull(type);
  for (unsigned at = 0; at < width; at += number_width) {
    LLVMValueRef part = LLVMBuildZExt(builder, numbers[(first + at) / number_width], type, "");
    result = LLVMBuildOr(builder, result, LLVMBuildShl(builder, part, LLVMConstInt(type, at, 0), ""), "");
  }
  return result;
}

static bool is_reinterpretation(LLVMValueRef at) {
  if (!LLVMIsABitCastInst(at))
    return false;
  const struct row from = row_of(LLVMTypeOf(LLVMGetOperand(at, 0))), to = row_of(LLVMTypeOf(at));
  const unsigned narrow = from.width < to.width ? from.width : to.width, wide = from.width + to.width - narrow;
  return from.count != to.count && from.count <= ELEMENTS_MAX && to.count <= ELEMENTS_MAX && wide % narrow == 0;
}

static LLVMValueRef build_reinterpretation(LLVMBuilderRef builder, LLVMValueRef at) {
  LLVMValueRef numbers[ELEMENTS_MAX] = {NULL}, value = LLVMGetOperand(at, 0);
  const struct row from = row_of(LLVMTypeOf(value)), to = row_of(LLVMTypeOf(at));
  for (unsigned i = 0; i < from.count; i++)
    numbers[i] = build_element(builder, value, &from, i);
  LLVMValueRef result = LLVMGetUndef(to.type);
  for (unsigned i = 0; i < to.count; i++) {
    LLVMValueRef bits = build_bits(builder, numbers, from.width, i * to.width, to.width);
    LLVMValueRef element = LLVMBuildBitCast(builder, bits, to.element, "");
    if (to.type == to.element)
      return element;
    result = LLVMBuildInsertElement(builder, result, element, index_value(builder, i), "");
  }
  return result;
}

static const struct {
  const char *name;
  LLVMOpcode opcode;      // of two elements, or ...
  const char *intrinsic;  // ... what computes of them
} reductions[] = {
    {"llvm.vector.reduce.add", LLVMAdd, NULL},   {"llvm.vector.reduce.mul", LLVMMul, NULL},
    {"llvm.vector.reduce.and", LLVMAnd, NULL},   {"llvm.vector.reduce.or", LLVMOr, NULL},
    {"llvm.vector.reduce.xor", LLVMXor, NULL},   {"llvm.vector.reduce.smin", 0, "llvm.smin"},
    {"llvm.vector.reduce.smax", 0, "llvm.smax"}, {"llvm.vector.reduce.umin", 0, "llvm.umin"},
    {"llvm.vector.reduce.umax", 0, "llvm.umax"},
};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

static size_t reduction_of(LLVMValueRef at) {
  size_t i = 0;
  while (i < REDUCTIONS && !ir_calls_intrinsic(at, reductions[i].name))
    i++;
  return i;
}

static LLVMValueRef build_reduction(LLVMBuilderRef builder, LLVMValueRef at, size_t kind) {
  LLVMValueRef vector = LLVMGetOperand(at, 0);
  LLVMValueRef result = LLVMBuildExtractElement(builder, vector, index_value(builder, 0), "");
  for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++) {
    LLVMValueRef both[] = {result, LLVMBuildExtractElement(builder, vector, index_value(builder, i), "")};
    if (reductions[kind].intrinsic)
      result = ir_build_intrinsic(builder, reductions[kind].intrinsic, both, 2);
    else
      result = LLVMBuildBinOp(builder, reductions[kind].opcode, both[0], both[1], "");
  }
  return result;
}

static LLVMValueRef replacement(void *context, LLVMValueRef at) {
  LLVMBuilderRef builder = context;
  if (is_reinterpretation(at))
    return build_reinterpretation(builder, at);
  const size_t reduction = reduction_of(at);
  return reduction < REDUCTIONS ? build_reduction(builder, at, reduction) : NULL;
}

void vectors_take_apart(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_replace_each(module, builder, replacement, builder);
  LLVMDisposeBuilder(builder);
}
