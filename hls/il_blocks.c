// SPDX-License-Identifier: Apache-2.0
// What SPIR-V modules enqueue (il_blocks.h).
#include "hls/il_blocks.h"

#include <stdbool.h>

#include "hls/ir.h"

// Of a function that takes a block (lib/device_queue.cl).
static bool is_call(LLVMValueRef user) {
  return ir_calls(user, "__enqueue_kernel_") || ir_calls(user, "__get_kernel_");
}

// Whether a function, or its address in another address space, is an argument of such a call.
static bool is_block(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if ((is_call(user) && ir_callee(user) != value) || (ir_is_operation(user, LLVMAddrSpaceCast) && is_block(user)))
      return true;
  }
  return false;
}

// The calls follow, as caller and callee have to agree.
static void make_kernel(LLVMValueRef function) {
  LLVMSetFunctionCallConv(function, LLVMSPIRKERNELCallConv);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (ir_callee(user) == function)
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
