// SPDX-License-Identifier: Apache-2.0
// Functions of <cmath>, which the device has under OpenCL's names. clang makes intrinsics of some: those that the
// device has no instruction for are among these too.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/sycl/check.h"

struct name {
  const char *from, *to;
};

// One argument: NAME for double, NAMEf for float, and LLVM's intrinsics.
#define ONE(c, mangled) \
  {c "f", mangled "f"}, {c, mangled "d"}, {"llvm." c ".f32", mangled "f"}, {"llvm." c ".f64", mangled "d"}
#define TWO(c, mangled) \
  {c "f", mangled "ff"}, {c, mangled "dd"}, {"llvm." c ".f32", mangled "ff"}, {"llvm." c ".f64", mangled "dd"}

static const struct name names[] = {
    ONE("sin", "_Z3sin"),
    ONE("cos", "_Z3cos"),
    ONE("tan", "_Z3tan"),
    ONE("asin", "_Z4asin"),
    ONE("acos", "_Z4acos"),
    ONE("atan", "_Z4atan"),
    ONE("sinh", "_Z4sinh"),
    ONE("cosh", "_Z4cosh"),
    ONE("tanh", "_Z4tanh"),
    ONE("asinh", "_Z5asinh"),
    ONE("acosh", "_Z5acosh"),
    ONE("atanh", "_Z5atanh"),
    ONE("exp", "_Z3exp"),
    ONE("exp2", "_Z4exp2"),
    ONE("exp10", "_Z5exp10"),
    ONE("expm1", "_Z5expm1"),
    ONE("log", "_Z3log"),
    ONE("log2", "_Z4log2"),
    ONE("log10", "_Z5log10"),
    ONE("log1p", "_Z5log1p"),
    ONE("cbrt", "_Z4cbrt"),
    ONE("erf", "_Z3erf"),
    ONE("erfc", "_Z4erfc"),
    ONE("tgamma", "_Z6tgamma"),
    ONE("lgamma", "_Z6lgamma"),
    ONE("sqrt", "_Z4sqrt"),
    ONE("floor", "_Z5floor"),
    ONE("ceil", "_Z4ceil"),
    ONE("trunc", "_Z5trunc"),
    ONE("round", "_Z5round"),
    ONE("rint", "_Z4rint"),
    ONE("nearbyint", "_Z4rint"),
    ONE("roundeven", "_Z4rint"),
    ONE("logb", "_Z4logb"),
    ONE("fabs", "_Z4fabs"),
    TWO("pow", "_Z3pow"),
    TWO("atan2", "_Z5atan2"),
    TWO("fmod", "_Z4fmod"),
    TWO("hypot", "_Z5hypot"),
    TWO("remainder", "_Z9remainder"),
    TWO("copysign", "_Z8copysign"),
    TWO("fdim", "_Z4fdim"),
    TWO("fmin", "_Z4fmin"),
    TWO("fmax", "_Z4fmax"),
    TWO("nextafter", "_Z9nextafter"),
    {"llvm.minnum.f32", "_Z4fminff"},
    {"llvm.minnum.f64", "_Z4fmindd"},
    {"llvm.maxnum.f32", "_Z4fmaxff"},
    {"llvm.maxnum.f64", "_Z4fmaxdd"},
    {"nexttoward", "_Z9nextafterdd"},  // long double is double
    {"fmaf", "_Z3fmafff"},
    {"fma", "_Z3fmaddd"},
    {"llvm.fma.f32", "_Z3fmafff"},
    {"llvm.fma.f64", "_Z3fmaddd"},
    {"ldexpf", "_Z5ldexpfi"},
    {"ldexp", "_Z5ldexpdi"},
    {"scalbnf", "_Z5ldexpfi"},
    {"scalbn", "_Z5ldexpdi"},
    {"frexpf", "_Z5frexpfPU3AS4i"},
    {"frexp", "_Z5frexpdPU3AS4i"},
    {"modff", "_Z4modffPU3AS4f"},
    {"modf", "_Z4modfdPU3AS4d"},
    {"remquof", "_Z6remquoffPU3AS4i"},
    {"remquo", "_Z6remquoddPU3AS4i"},
    {"lgammaf_r", "_Z8lgamma_rfPU3AS4i"},
    {"lgamma_r", "_Z8lgamma_rdPU3AS4i"},
    {"llvm.powi.f32.i32", "_Z4pownfi"},
    {"llvm.powi.f64.i32", "_Z4powndi"},
    {"llvm.ldexp.f32.i32", "_Z5ldexpfi"},
    {"llvm.ldexp.f64.i32", "_Z5ldexpdi"},
};

const char *library_function(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i].from, name) == 0)
      return names[i].to;
  return NULL;
}

LLVMValueRef library_declare(LLVMModuleRef module, const char *name, LLVMTypeRef type, unsigned convention) {
  LLVMValueRef there = LLVMGetNamedFunction(module, name);
  if (there && !LLVMIsDeclaration(there)) {
    char other[4096];
    snprintf(other, sizeof other, "%s.user", name);
    LLVMSetValueName2(there, other, strlen(other));
    there = NULL;
  }
  if (there)
    return there;
  LLVMValueRef made = LLVMAddFunction(module, name, type);
  LLVMSetFunctionCallConv(made, convention);
  ir_add_attribute(made, "nounwind");
  return made;
}
