// SPDX-License-Identifier: Apache-2.0
// A name is of C's library, with f at the end for float, or of an intrinsic. long double is double on the device.
#include "hls/sycl/c_functions.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"
#include "hls/sycl/check.h"

enum { NAME_BYTES = 64, EXPONENT_MAX = 5000 };

// A body that is being made.
struct body {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  LLVMTypeRef number, result;  // float or double, and what the function returns
};

static LLVMValueRef argument(const struct body *body, unsigned index) {
  return LLVMGetParam(body->function, index);
}

static LLVMTypeRef word(const struct body *body) {
  return LLVMInt32TypeInContext(body->context);
}

// Calls a function of OpenCL's; ? in its name is f or d.
static LLVMValueRef call(const struct body *body, const char *pattern, LLVMTypeRef result, LLVMValueRef first,
                         LLVMValueRef second) {
  char name[NAME_BYTES];
  snprintf(name, sizeof name, BUILTIN_PREFIX "%s", pattern);
  for (char *at = name; (at = strchr(at, '?'));)
    *at = LLVMGetTypeKind(body->number) == LLVMDoubleTypeKind ? 'd' : 'f';
  LLVMValueRef arguments[] = {first, second};
  LLVMTypeRef types[] = {LLVMTypeOf(first), second ? LLVMTypeOf(second) : NULL};
  const unsigned count = second ? 2 : 1;
  LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
  LLVMValueRef callee = LLVMGetNamedFunction(body->module, name);
  if (!callee) {
    callee = LLVMAddFunction(body->module, name, type);
    LLVMSetFunctionCallConv(callee, LLVMSPIRFUNCCallConv);
    ir_add_attribute(callee, "nounwind");
  }
  LLVMValueRef made = LLVMBuildCall2(body->builder, type, callee, arguments, count, "");
  LLVMSetInstructionCallConv(made, LLVMSPIRFUNCCallConv);
  return made;
}

static LLVMValueRef make_lround(const struct body *body) {
  return LLVMBuildFPToSI(body->builder, call(body, "_Z5round?", body->number, argument(body, 0), NULL), body->result,
                         "");
}

static LLVMValueRef make_lrint(const struct body *body) {
  return LLVMBuildFPToSI(body->builder, call(body, "_Z4rint?", body->number, argument(body, 0), NULL), body->result,
                         "");
}

// Exponents of 64 bits are of numbers that are 0 or infinite long before.
static LLVMValueRef make_scalbln(const struct body *body) {
  LLVMValueRef exponent = argument(body, 1);
  const long long limits[] = {EXPONENT_MAX, -EXPONENT_MAX};
  for (size_t i = 0; i < 2; i++) {
    LLVMValueRef limit = LLVMConstInt(LLVMTypeOf(exponent), (unsigned long long)limits[i], 1);
    LLVMValueRef is_beyond = LLVMBuildICmp(body->builder, limits[i] > 0 ? LLVMIntSGT : LLVMIntSLT, exponent, limit, "");
    exponent = LLVMBuildSelect(body->builder, is_beyond, limit, exponent, "");
  }
  return call(body, "_Z5ldexp?i", body->number, argument(body, 0),
              LLVMBuildTrunc(body->builder, exponent, word(body), ""));
}

// FP_ILOGBNAN is another number in C than in OpenCL C.
static LLVMValueRef make_ilogb(const struct body *body) {
  LLVMValueRef x = argument(body, 0), known = call(body, "_Z5ilogb?", word(body), x, NULL);
  return LLVMBuildSelect(body->builder, LLVMBuildFCmp(body->builder, LLVMRealUNO, x, x, ""),
                         LLVMConstInt(word(body), (unsigned long long)INT_MIN, 1), known, "");
}

// Of any text: what a NaN is called is lost.
static LLVMValueRef make_nan(const struct body *body) {
  return LLVMConstRealOfString(body->number, "nan");
}

// Of a float: the other one has more bits, and says only the direction.
static LLVMValueRef make_nexttoward(const struct body *body) {
  LLVMBuilderRef b = body->builder;
  LLVMValueRef x = argument(body, 0), to = argument(body, 1), wide = LLVMBuildFPExt(b, x, LLVMTypeOf(to), "");
  LLVMValueRef target = LLVMBuildFPTrunc(b, to, body->number, "");
  target = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, wide, to, ""), LLVMConstRealOfString(body->number, "inf"),
                           target, "");
  target = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOGT, wide, to, ""), LLVMConstRealOfString(body->number, "-inf"),
                           target, "");
  return call(body, "_Z9nextafter??", body->number, x, target);
}

static LLVMValueRef make_sincos(const struct body *body) {
  LLVMValueRef x = argument(body, 0);
  LLVMBuildStore(body->builder, call(body, "_Z3sin?", body->number, x, NULL), argument(body, 1));
  LLVMBuildStore(body->builder, call(body, "_Z3cos?", body->number, x, NULL), argument(body, 2));
  return NULL;
}

// Intrinsics with two results: OpenCL's function leaves one in memory.
static LLVMValueRef two_results(const struct body *body, const char *pattern, LLVMTypeRef second) {
  LLVMBuilderRef b = body->builder;
  LLVMValueRef memory = LLVMBuildAlloca(b, second, "");
  LLVMValueRef generic =
      LLVMBuildAddrSpaceCast(b, memory, LLVMPointerTypeInContext(body->context, GENERIC_ADDRESS_SPACE), "");
  LLVMValueRef first = call(body, pattern, body->number, argument(body, 0), generic);
  LLVMValueRef other = LLVMBuildLoad2(b, second, memory, "");
  return LLVMBuildInsertValue(b, LLVMBuildInsertValue(b, LLVMGetPoison(body->result), first, 0, ""), other, 1, "");
}

static LLVMValueRef make_frexp(const struct body *body) {
  return two_results(body, "_Z5frexp?PU3AS4i", word(body));
}

static LLVMValueRef make_modf(const struct body *body) {
  return two_results(body, "_Z4modf?PU3AS4?", body->number);
}

// By the name without f at the end, or without llvm. in front and types behind.
static const struct {
  const char *name;
  LLVMValueRef (*make)(const struct body *);
  bool is_of_c, is_of_llvm;
} all[] = {
    {"lround", make_lround, true, true},    {"llround", make_lround, true, true},
    {"lrint", make_lrint, true, true},      {"llrint", make_lrint, true, true},
    {"scalbln", make_scalbln, true, false}, {"ilogb", make_ilogb, true, false},
    {"nan", make_nan, true, false},         {"nexttoward", make_nexttoward, true, false},
    {"sincos", make_sincos, true, false},   {"frexp", make_frexp, false, true},
    {"modf", make_modf, false, true},
};

// The functions of numbers among LLVM's intrinsics.
static const char *const of_library[] = {"sin",  "cos",  "tan",   "asin",   "acos",     "atan",     "atan2", "sinh",
                                         "cosh", "tanh", "exp",   "exp2",   "exp10",    "log",      "log2",  "log10",
                                         "pow",  "powi", "ldexp", "sincos", "sincospi", "roundeven"};

// Of llvm.NAME.TYPES whether it is NAME.
static bool is_intrinsic_of(const char *name, const char *base) {
  static const char start[] = "llvm.";
  const size_t length = strlen(base);
  return strncmp(name, start, strlen(start)) == 0 && strncmp(name + strlen(start), base, length) == 0 &&
         name[strlen(start) + length] == '.';
}

// float or double of a function; NULL: it is of neither.
static LLVMTypeRef number_of(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
  LLVMTypeRef first = LLVMCountParams(function) != 0 ? LLVMTypeOf(LLVMGetParam(function, 0)) : result;
  const LLVMTypeRef types[] = {first, result};
  for (size_t i = 0; i < 2; i++)
    if (LLVMGetTypeKind(types[i]) == LLVMFloatTypeKind || LLVMGetTypeKind(types[i]) == LLVMDoubleTypeKind)
      return types[i];
  return NULL;
}

// The index in `all`; its size if there is none.
static size_t find(LLVMValueRef function) {
  size_t length, i = 0;
  const char *name = LLVMGetValueName2(function, &length);
  LLVMTypeRef number = number_of(function);
  const size_t count = sizeof all / sizeof *all;
  if (!number)
    return count;
  const bool is_float = LLVMGetTypeKind(number) == LLVMFloatTypeKind;
  for (; i < count; i++) {
    const size_t base = strlen(all[i].name);
    if (all[i].is_of_llvm && is_intrinsic_of(name, all[i].name))
      break;
    if (all[i].is_of_c && strncmp(name, all[i].name, base) == 0 && strcmp(name + base, is_float ? "f" : "") == 0)
      break;
  }
  return i;
}

bool c_function_is_known(LLVMValueRef declared) {
  return find(declared) < sizeof all / sizeof *all;
}

bool c_function_is_missing(LLVMValueRef intrinsic) {
  size_t length;
  const char *name = LLVMGetValueName2(intrinsic, &length);
  if (library_function(name) || c_function_is_known(intrinsic))
    return false;
  for (size_t i = 0; i < sizeof of_library / sizeof *of_library; i++)
    if (is_intrinsic_of(name, of_library[i]))
      return true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (is_intrinsic_of(name, all[i].name))
      return true;
  return false;
}

void c_functions_define(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    size_t length, index;
    if (!LLVMIsDeclaration(f) || (index = find(f)) == sizeof all / sizeof *all)
      continue;
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "heddle.c.%s", LLVMGetValueName2(f, &length));
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    const struct body body = {.module = module,
                              .context = context,
                              .builder = builder,
                              .function = LLVMAddFunction(module, name, type),
                              .number = number_of(f),
                              .result = LLVMGetReturnType(type)};
    LLVMSetFunctionCallConv(body.function, LLVMGetFunctionCallConv(f));
    LLVMSetLinkage(body.function, LLVMInternalLinkage);
    ir_add_attribute(body.function, "alwaysinline");
    ir_add_attribute(body.function, "nounwind");
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, body.function, ""));
    LLVMValueRef result = all[index].make(&body);
    if (result)
      LLVMBuildRet(builder, result);
    else
      LLVMBuildRetVoid(builder);
    LLVMReplaceAllUsesWith(f, body.function);
    LLVMDeleteFunction(f);
  }
  LLVMDisposeBuilder(builder);
}
