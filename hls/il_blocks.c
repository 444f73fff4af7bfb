// SPDX-License-Identifier: Apache-2.0
// What SPIR-V modules enqueue (il_blocks.h).
#include "hls/il_blocks.h"

#include <stdbool.h>
#include <string.h>

#include "hls/ir.h"

// Of the functions that take a block (lib/device_queue.cl).
static bool takes_block(LLVMValueRef function) {
  static const char *const names[] = {"__enqueue_kernel_", "__get_kernel_"};
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

// Whether a function, or its address in another address space, is an argument of such a call.
static bool is_block(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool is_cast =
        LLVMIsAAddrSpaceCastInst(user) || (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMAddrSpaceCast);
    LLVMValueRef called = LLVMIsACallInst(user) ? LLVMIsAFunction(LLVMGetCalledValue(user)) : NULL;
    if ((called && called != value && takes_block(called)) || (is_cast && is_block(user)))
      return true;
  }
  return false;
}

// The calls follow, as caller and callee have to agree.
static void make_kernel(LLVMValueRef function) {
  LLVMSetFunctionCallConv(function, LLVMSPIRKERNELCallConv);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
      LLVMSetInstructionCallConv(user, LLVMSPIRKERNELCallConv);
  }
}

void il_blocks_adapt(LLVMModuleRef module) {
  static const char described[] = "kernel_arg_addr_space";
  const unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), described, sizeof described - 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !is_block(f))
      continue;
    make_kernel(f);
    size_t length;
    LLVMGetValueName2(f, &length);
    if (length == 0)
      LLVMSetValueName2(f, "block", 5);  // modules need not say names
    LLVMGlobalEraseMetadata(f, kind);
  }
}
