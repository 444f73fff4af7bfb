// SPDX-License-Identifier: Apache-2.0
#include "hls/undefined.h"

#include <stdio.h>

#include "hls/ir.h"

// Where a value is used first.
static void print_place(LLVMValueRef value) {
  ir_print_place(LLVMGetUser(LLVMGetFirstUse(value)));
}

enum status undefined_check(LLVMModuleRef module) {
  enum status status = STATUS_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) && !ir_is_intrinsic(f) && LLVMGetFirstUse(f)) {
      int length;
      const char *name = ir_source_name(f, &length);
      print_place(f);
      fprintf(stderr, "error: function '%.*s' is not defined for these arguments, neither here nor on this device\n",
              length, name);
      status = STATUS_REJECTED;
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g)) {
      size_t length;
      const char *name = LLVMGetValueName2(g, &length);
      print_place(g);
      fprintf(stderr, "error: variable '%s' is declared but not defined\n", name);
      status = STATUS_REJECTED;
    }
  }
  return status;
}
