// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/doubles.h"

#include <limits.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hls/data.h"
#include "hls/ir.h"

#define LIBRARY "pipeline/soft-double.bc"
#define PREFIX "__heddle_double_"

enum { MOST_OPERANDS = 3 };

struct expansion {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
};

static bool is_double(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

// ---- which operations there are

static const struct {
  LLVMOpcode opcode;
  const char *function;
} operators[] = {
    {LLVMFAdd, "add"},
    {LLVMFSub, "subtract"},
    {LLVMFMul, "multiply"},
    {LLVMFDiv, "divide"},
};

// Of a * b + c that may be contracted: two roundings, as on programmable units.
static const char contracted[] = "llvm.fmuladd";
static const struct {
  const char *name, *function;
} intrinsics[] = {
    {"llvm.sqrt", "root"},           {"llvm.fma", "fused"},          {contracted, NULL},
    {"llvm.floor", "floor"},         {"llvm.ceil", "ceil"},          {"llvm.trunc", "trunc"},
    {"llvm.round", "round"},         {"llvm.rint", "roundeven"},     {"llvm.nearbyint", "roundeven"},
    {"llvm.roundeven", "roundeven"}, {"llvm.minnum", "minimum"},     {"llvm.maxnum", "maximum"},
    {"llvm.minimumnum", "minimum"},  {"llvm.maximumnum", "maximum"}, {"llvm.ldexp", "ldexp"},
};
enum { INTRINSICS = sizeof intrinsics / sizeof *intrinsics };

static size_t intrinsic_of(LLVMValueRef at) {
  size_t i = 0;
  while (i < INTRINSICS && !ir_calls_intrinsic(at, intrinsics[i].name))
    i++;
  return i;
}

static const char *operator_of(LLVMValueRef at) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (LLVMGetInstructionOpcode(at) == operators[i].opcode)
      return operators[i].function;
  return NULL;
}

static bool is_operation(LLVMValueRef at) {
  const bool gives = is_double(LLVMTypeOf(at));
  const bool takes = LLVMGetNumOperands(at) > 0 && is_double(LLVMTypeOf(LLVMGetOperand(at, 0)));
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMFCmp:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMFPTrunc:
      return takes;
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
      return gives;
    case LLVMCall:
      return gives && intrinsic_of(at) < INTRINSICS;
    default:
      return gives && operator_of(at);
  }
}

static void find_operation(LLVMValueRef at, void *context) {
  bool *found = context;
  *found = *found || is_operation(at);
}

// ---- the library

static enum status give_up(const char *path, const char *why) {
  fprintf(stderr, "heddlec: %s: %s\n", path, why);
  return STATUS_FAILED;
}

static enum status link_library(LLVMModuleRef module) {
  char path[PATH_MAX];
  enum status status = data_path(LIBRARY, path, sizeof path);
  if (status != STATUS_OK)
    return status;
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef library = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    status = give_up(path, message ? message : "cannot be read");
    LLVMDisposeMessage(message);
    return status;
  }
  const LLVMBool failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer, &library);
  LLVMDisposeMemoryBuffer(buffer);
  if (failed || LLVMLinkModules2(module, library))
    return give_up(path, "is no library of this heddlec");
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (length > strlen(PREFIX) && memcmp(name, PREFIX, strlen(PREFIX)) == 0) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
      ir_add_attribute(f, "alwaysinline");
      ir_set_string_attribute(f, "no-builtins", "");
    }
  }
  return STATUS_OK;
}

// ---- calls of it

static LLVMTypeRef integer(const struct expansion *e, unsigned bits) {
  return LLVMIntTypeInContext(e->context, bits);
}

// As the library takes it: of a double its bits.
static LLVMValueRef bits_of(const struct expansion *e, LLVMValueRef value) {
  return is_double(LLVMTypeOf(value)) ? LLVMBuildBitCast(e->builder, value, integer(e, 64), "") : value;
}

static LLVMValueRef double_of(const struct expansion *e, LLVMValueRef bits) {
  return LLVMBuildBitCast(e->builder, bits, LLVMDoubleTypeInContext(e->context), "");
}

static LLVMValueRef call(const struct expansion *e, const char *function, const LLVMValueRef *operands,
                         unsigned count) {
  char name[64];
  LLVMValueRef values[MOST_OPERANDS];
  snprintf(name, sizeof name, PREFIX "%s", function);
  LLVMValueRef callee = LLVMGetNamedFunction(e->module, name);
  for (unsigned i = 0; i < count; i++)
    values[i] = bits_of(e, operands[i]);
  LLVMValueRef result = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(callee), callee, values, count, "");
  LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(callee));
  return result;
}

static LLVMValueRef compare(const struct expansion *e, LLVMRealPredicate predicate, LLVMValueRef x, LLVMValueRef y) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef both[] = {x, y}, turned[] = {y, x};
  // What is not wanted is taken out again: functions have no effects.
  LLVMValueRef less = call(e, "less", both, 2), greater = call(e, "less", turned, 2);
  LLVMValueRef equal = call(e, "equal", both, 2), unordered = call(e, "unordered", both, 2);
  switch (predicate) {
    case LLVMRealOEQ:
      return equal;
    case LLVMRealOGT:
      return greater;
    case LLVMRealOGE:
      return LLVMBuildOr(b, greater, equal, "");
    case LLVMRealOLT:
      return less;
    case LLVMRealOLE:
      return LLVMBuildOr(b, less, equal, "");
    case LLVMRealONE:
      return LLVMBuildOr(b, less, greater, "");
    case LLVMRealORD:
      return LLVMBuildNot(b, unordered, "");
    case LLVMRealUNO:
      return unordered;
    case LLVMRealUEQ:
      return LLVMBuildNot(b, LLVMBuildOr(b, less, greater, ""), "");
    case LLVMRealUGT:
      return LLVMBuildNot(b, LLVMBuildOr(b, less, equal, ""), "");
    case LLVMRealUGE:
      return LLVMBuildNot(b, less, "");
    case LLVMRealULT:
      return LLVMBuildNot(b, LLVMBuildOr(b, greater, equal, ""), "");
    case LLVMRealULE:
      return LLVMBuildNot(b, greater, "");
    case LLVMRealUNE:
      return LLVMBuildNot(b, equal, "");
    default:
      return LLVMConstInt(integer(e, 1), predicate == LLVMRealPredicateTrue, 0);
  }
}

static LLVMValueRef to_integer(const struct expansion *e, LLVMValueRef x, LLVMTypeRef type, bool is_signed) {
  const unsigned bits = LLVMGetIntTypeWidth(type);
  const char *function = bits > 32 ? (is_signed ? "to_long" : "to_ulong") : is_signed ? "to_int" : "to_uint";
  return LLVMBuildIntCast2(e->builder, call(e, function, &x, 1), type, is_signed, "");
}

static LLVMValueRef of_integer(const struct expansion *e, LLVMValueRef x, bool is_signed) {
  const bool is_long = LLVMGetIntTypeWidth(LLVMTypeOf(x)) > 32;
  x = LLVMBuildIntCast2(e->builder, x, integer(e, is_long ? 64 : 32), is_signed, "");
  return double_of(e, call(e,
                           is_long     ? (is_signed ? "of_long" : "of_ulong")
                           : is_signed ? "of_int"
                                       : "of_uint",
                           &x, 1));
}

static LLVMValueRef narrowed(const struct expansion *e, LLVMValueRef x, LLVMTypeRef type) {
  const bool to_half = LLVMGetTypeKind(type) == LLVMHalfTypeKind;
  return LLVMBuildBitCast(e->builder, call(e, to_half ? "to_half" : "to_float", &x, 1), type, "");
}

// A half is a float first, which is exact.
static LLVMValueRef widened(const struct expansion *e, LLVMValueRef x) {
  LLVMTypeRef real = LLVMFloatTypeInContext(e->context);
  if (LLVMTypeOf(x) != real)
    x = LLVMBuildFPExt(e->builder, x, real, "");
  x = LLVMBuildBitCast(e->builder, x, integer(e, 32), "");
  return double_of(e, call(e, "of_float", &x, 1));
}

static LLVMValueRef intrinsic(const struct expansion *e, LLVMValueRef at) {
  const size_t number = intrinsic_of(at);
  const unsigned count = LLVMGetNumArgOperands(at);
  LLVMValueRef operands[MOST_OPERANDS] = {NULL};
  for (unsigned i = 0; i < count && i < MOST_OPERANDS; i++)
    operands[i] = LLVMGetOperand(at, i);
  if (intrinsics[number].function)
    return double_of(e, call(e, intrinsics[number].function, operands, count));
  LLVMValueRef summands[] = {call(e, "multiply", operands, 2), operands[2]};
  return double_of(e, call(e, "add", summands, 2));
}

static LLVMValueRef replacement(void *context, LLVMValueRef at) {
  const struct expansion *e = context;
  if (!is_operation(at))
    return NULL;
  LLVMValueRef first = LLVMGetOperand(at, 0);
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  switch (opcode) {
    case LLVMFCmp:
      return compare(e, LLVMGetFCmpPredicate(at), first, LLVMGetOperand(at, 1));
    case LLVMFPToSI:
    case LLVMFPToUI:
      return to_integer(e, first, LLVMTypeOf(at), opcode == LLVMFPToSI);
    case LLVMFPTrunc:
      return narrowed(e, first, LLVMTypeOf(at));
    case LLVMSIToFP:
    case LLVMUIToFP:
      return of_integer(e, first, opcode == LLVMSIToFP);
    case LLVMFPExt:
      return widened(e, first);
    case LLVMCall:
      return intrinsic(e, at);
    default: {
      LLVMValueRef both[] = {first, LLVMGetOperand(at, 1)};
      return double_of(e, call(e, operator_of(at), both, 2));
    }
  }
}

enum status doubles_expand(LLVMModuleRef module) {
  bool found = false;
  ir_each_instruction(module, find_operation, &found);
  enum status status = found ? link_library(module) : STATUS_OK;
  if (!found || status != STATUS_OK)
    return status;
  LLVMContextRef context = LLVMGetModuleContext(module);
  struct expansion e = {context, module, LLVMCreateBuilderInContext(context)};
  ir_replace_each(module, e.builder, replacement, &e);
  LLVMDisposeBuilder(e.builder);
  return STATUS_OK;
}
