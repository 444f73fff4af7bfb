// SPDX-License-Identifier: Apache-2.0
#include "hls/retarget.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"

static bool is_spir_convention(unsigned convention) {
  return convention == LLVMSPIRFUNCCallConv || convention == LLVMSPIRKERNELCallConv;
}

static bool is_collective(LLVMValueRef callee) {
  size_t length;
  if (!LLVMIsAInlineAsm(callee))
    return false;
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  return text && strstr(text, "CUSTOM_0");
}

static void retarget_instruction(LLVMValueRef instruction, void *context) {
  if (LLVMIsACallInst(instruction)) {
    if (is_spir_convention(LLVMGetInstructionCallConv(instruction)))
      LLVMSetInstructionCallConv(instruction, LLVMCCallConv);
    if (is_collective(LLVMGetCalledValue(instruction))) {
      // Lanes meet at a PC: a collective copied by loop unrolling would be two places to wait at.
      LLVMAddCallSiteAttribute(instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                               LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("noduplicate", 11), 0));
    }
  } else if (LLVMIsALoadInst(instruction)) {
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    if (LLVMGetPointerAddressSpace(pointer) == CONSTANT_ADDRESS_SPACE && !LLVMGetVolatile(instruction)) {
      // Constant memory does not change while a kernel runs, whatever the stores in between.
      ir_mark_invariant(instruction);
    }
  }
}

void retarget(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMSetTarget(module, RETARGET_TRIPLE);
  LLVMSetModuleDataLayout(module, layout);
  ir_each_instruction(module, retarget_instruction, LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_spir_convention(LLVMGetFunctionCallConv(f)))
      LLVMSetFunctionCallConv(f, LLVMCCallConv);
    if (!LLVMIsDeclaration(f)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
      // No loop is to become a call of memset, and no function to be taken for one of C's.
      ir_set_string_attribute(f, "no-builtins", "");
      // A function of the user may have a name that code generation gives a meaning (memcpy, sqrtf). llvm.NAME has one,
      // too.
      size_t length;
      char *name = NULL;
      const char *given = LLVMGetValueName2(f, &length);
      if (strncmp(given, "_Z", 2) != 0) {
        if (asprintf(&name, "%s%s.cl", given, strcmp(given, "llvm") == 0 ? "_" : "") < 0)
          abort();
        LLVMSetValueName2(f, name, strlen(name));
        free(name);
      }
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (!LLVMIsDeclaration(g)) {
      LLVMSetLinkage(g, LLVMInternalLinkage);
      if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL_ADDRESS_SPACE) {
        // Other work-items write it too: what this one stored is not what it finds.
        LLVMSetExternallyInitialized(g, 1);
      }
    }
  }
}
