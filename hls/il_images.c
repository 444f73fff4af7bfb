// SPDX-License-Identifier: Apache-2.0
// The translator's images are pointers to global memory and its samplers pointers to constant memory, where the library
// has pointers to constant memory and words. Its integers have no sign: it reads and writes all of them by read_imagei
// and write_imagei. The library has read_imagen and write_imagen, which go by the image's format.
#include "hls/il_images.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"

enum { MOST_PARAMETERS = 8, NAME_BYTES = 128 };

#define INITIALIZER "__translate_sampler_initializer"

static bool is_pointer_to(LLVMTypeRef type, unsigned space) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == space;
}

// A parameter's type in the library.
static LLVMTypeRef type_in_library(LLVMTypeRef type) {
  LLVMContextRef context = LLVMGetTypeContext(type);
  if (is_pointer_to(type, GLOBAL_ADDRESS_SPACE))
    return LLVMPointerTypeInContext(context, CONSTANT_ADDRESS_SPACE);
  return is_pointer_to(type, CONSTANT_ADDRESS_SPACE) ? LLVMInt32TypeInContext(context) : type;
}

static LLVMValueRef value_for_library(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), wanted = type_in_library(type);
  if (is_pointer_to(type, GLOBAL_ADDRESS_SPACE))
    return LLVMBuildAddrSpaceCast(builder, value, wanted, "");
  return wanted != type ? LLVMBuildPtrToInt(builder, value, wanted, "") : value;
}

// The function of the library, declared as it is there, for one that the translator has declared.
static LLVMValueRef function_in_library(LLVMModuleRef module, LLVMValueRef declared, LLVMTypeRef result) {
  LLVMTypeRef parameters[MOST_PARAMETERS];
  char name[NAME_BYTES];
  size_t length;
  const char *old = LLVMGetValueName2(declared, &length);
  snprintf(name, sizeof name, "%s", old);
  char *sign = strstr(name, "_imagei");
  if (sign)
    sign[strlen("_image")] = 'n';
  const unsigned count = LLVMCountParams(declared);
  for (unsigned i = 0; i < count; i++)
    parameters[i] = type_in_library(LLVMTypeOf(LLVMGetParam(declared, i)));
  LLVMSetValueName2(declared, "", 0);
  LLVMValueRef function = LLVMAddFunction(module, name, LLVMFunctionType(result, parameters, count, 0));
  LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
  return function;
}

static void replace_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef function) {
  LLVMValueRef arguments[MOST_PARAMETERS];
  const unsigned count = LLVMGetNumArgOperands(call);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  for (unsigned i = 0; i < count; i++)
    arguments[i] = value_for_library(builder, LLVMGetOperand(call, i));
  LLVMValueRef result = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
  LLVMSetInstructionCallConv(result, LLVMSPIRFUNCCallConv);
  if (LLVMTypeOf(result) != LLVMTypeOf(call))
    result = LLVMBuildIntToPtr(builder, result, LLVMTypeOf(call), "");  // of a sampler that is named
  LLVMReplaceAllUsesWith(call, result);
  LLVMInstructionEraseFromParent(call);
}

// Not what another module of the program defines, though it may take images too.
static bool is_image_function(LLVMValueRef function) {
  static const char *const beginnings[] = {"read_image", "write_image", "get_image_", "intel_sub_group_block_"};
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  if (!LLVMIsDeclaration(function) || length >= NAME_BYTES || LLVMCountParams(function) > MOST_PARAMETERS)
    return false;
  if (strcmp(name, INITIALIZER) == 0)
    return true;
  int named;
  const char *source = ir_source_name(function, &named);
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(source, beginnings[i], strlen(beginnings[i])) == 0)
      return strstr(name, "ocl_image");
  return false;
}

void il_images_adapt(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMValueRef next, last = LLVMGetLastFunction(module);  // behind it come those of the library
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
    next = f != last ? LLVMGetNextFunction(f) : NULL;
    if (!is_image_function(f))
      continue;
    LLVMTypeRef result = type_in_library(LLVMGetReturnType(LLVMGlobalGetValueType(f)));
    LLVMValueRef function = function_in_library(module, f, result);
    LLVMUseRef after;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = after) {
      after = LLVMGetNextUse(use);
      if (LLVMIsACallInst(LLVMGetUser(use)) && LLVMGetCalledValue(LLVMGetUser(use)) == f)
        replace_call(builder, LLVMGetUser(use), function);
    }
    if (!LLVMGetFirstUse(f))
      LLVMDeleteFunction(f);
  }
  LLVMDisposeBuilder(builder);
}
