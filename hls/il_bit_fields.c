// SPDX-License-Identifier: Apache-2.0
// Bit fields of SPIR-V (il_bit_fields.h).
#include "hls/il_bit_fields.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"

enum { ARGUMENTS_MOST = 4 };

// The mangled name ends with a letter for offset, one for count: j is uint.
static bool is_other_form(LLVMValueRef function, char *name, size_t size) {
  static const char *const names[] = {"bitfield_insert", "bitfield_extract_signed", "bitfield_extract_unsigned"};
  int length;
  const char *source = ir_source_name(function, &length);
  const char *mangled = LLVMGetValueName(function);
  const size_t bytes = strlen(mangled);
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    found = found || ((int)strlen(names[i]) == length && strncmp(source, names[i], (size_t)length) == 0);
  if (!found || !LLVMIsDeclaration(function) || LLVMCountParams(function) < 3 ||
      LLVMCountParams(function) > ARGUMENTS_MOST || bytes < 3 || bytes >= size ||
      strcmp(mangled + bytes - 2, "jj") == 0) {
    return false;
  }
  snprintf(name, size, "%.*sjj", (int)bytes - 2, mangled);
  return true;
}

static LLVMValueRef form_with_uint(LLVMModuleRef module, LLVMValueRef other, const char *name) {
  LLVMTypeRef parameters[ARGUMENTS_MOST], type = LLVMGlobalGetValueType(other);
  const unsigned count = LLVMCountParams(other);
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function)
    return function;
  LLVMGetParamTypes(type, parameters);
  parameters[count - 2] = parameters[count - 1] = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  function = LLVMAddFunction(module, name, LLVMFunctionType(LLVMGetReturnType(type), parameters, count, false));
  LLVMSetFunctionCallConv(function, LLVMGetFunctionCallConv(other));
  return function;
}

// What is defined fits: offset and count are at most 64.
static void replace_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef function) {
  LLVMValueRef arguments[ARGUMENTS_MOST];
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
  const unsigned count = LLVMGetNumArgOperands(call);
  LLVMPositionBuilderBefore(builder, call);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    arguments[i] = i + 2 < count ? argument : LLVMBuildIntCast2(builder, argument, word, false, "");
  }
  LLVMValueRef made = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
  LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

static void replace_calls(LLVMModuleRef module, LLVMValueRef other, const char *name) {
  LLVMValueRef function = form_with_uint(module, other, name);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(other); use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == other &&
        LLVMGetNumArgOperands(user) == LLVMCountParams(other)) {
      replace_call(builder, user, function);
    }
  }
  LLVMDisposeBuilder(builder);
}

void il_bit_fields_take_uint(LLVMModuleRef module) {
  char name[128];
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (is_other_form(f, name, sizeof name))
      replace_calls(module, f, name);
}
