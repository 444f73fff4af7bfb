// SPDX-License-Identifier: Apache-2.0
// The library cannot ask LLVM's own question: it is optimised when it is made, and the answer would be no.
#include "hls/samplers.h"

#include <string.h>

#define QUESTION "__heddle_is_constant"
#define ANSWERED "llvm.is.constant"

bool samplers_ask(LLVMModuleRef module) {
  LLVMValueRef question = LLVMGetNamedFunction(module, QUESTION);
  if (!question)
    return false;
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef answered =
      LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(ANSWERED, strlen(ANSWERED)), &word, 1);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(question); use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use), sampler = LLVMGetOperand(call, 0);
    LLVMPositionBuilderBefore(builder, call);
    LLVMReplaceAllUsesWith(call, LLVMBuildCall2(builder, LLVMGlobalGetValueType(answered), answered, &sampler, 1, ""));
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(builder);
  return true;
}
