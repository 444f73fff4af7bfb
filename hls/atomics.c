// SPDX-License-Identifier: Apache-2.0
// For a device without atomic instructions (A), code generation would make calls of a library with locks, which there
// is not. So atomics are refused, in the words of the kernel: a built-in function by its name, where it is called.
#include "hls/atomics.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdio.h>

#include "hls/ir.h"

static bool is_atomic(LLVMValueRef instruction) {
  if (LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction))
    return true;
  bool is_access = LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction);
  return is_access && LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
}

static bool has_atomics(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (is_atomic(at))
        return true;
  }
  return false;
}

static void refuse_call(LLVMValueRef call, LLVMValueRef function, const char *isa) {
  ir_print_place(call);
  int length;
  const char *name = ir_source_name(function, &length);
  fprintf(stderr, "error: function '%.*s' needs atomic instructions (A), which this device (%s) does not have\n",
          length, name, isa);
}

enum status atomics_refuse(LLVMModuleRef module, const char *isa) {
  enum status status = STATUS_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!has_atomics(f))
      continue;
    status = STATUS_REJECTED;
    if (LLVMGetSubprogram(f))  // of the kernel's own source: it uses clang's built-ins directly
      refuse_call(LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(f)), f, isa);
    for (LLVMUseRef use = LLVMGetFirstUse(f); use && !LLVMGetSubprogram(f); use = LLVMGetNextUse(use))
      refuse_call(LLVMGetUser(use), f, isa);
  }
  return status;
}
