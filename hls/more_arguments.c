// SPDX-License-Identifier: Apache-2.0
#include "hls/more_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "hls/address_spaces.h"
#include "hls/ir.h"

static void *allocated(void *memory) {
  if (!memory)
    abort();
  return memory;
}

void more_arguments_show(LLVMValueRef function) {
  static const char seen[] = "heddle-more-arguments";
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || ir_callee(call) != function)
      continue;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (LLVMGetFunctionCallConv(caller) == LLVMSPIRKERNELCallConv ||
        LLVMGetStringAttributeAtIndex(caller, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, seen, sizeof seen - 1))
      continue;
    ir_set_string_attribute(caller, seen, "");
    ir_remove_attribute(caller, "noinline");
    ir_remove_attribute(caller, "optnone");
    ir_add_attribute(caller, "alwaysinline");
    more_arguments_show(caller);
  }
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index) {
  const unsigned count = LLVMGetAttributeCountAtIndex(from, index);
  LLVMAttributeRef *attributes = allocated(calloc(count + 1, sizeof *attributes));
  LLVMGetAttributesAtIndex(from, index, attributes);
  for (unsigned i = 0; i < count; i++)
    LLVMAddAttributeAtIndex(to, index, attributes[i]);
  free(attributes);
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to) {
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
  for (unsigned i = 0; i < count; i++)
    LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
                          LLVMValueMetadataEntriesGetMetadata(entries, i));
  LLVMDisposeValueMetadataEntries(entries);
}

LLVMValueRef more_arguments_add(LLVMValueRef old, unsigned more) {
  LLVMModuleRef module = LLVMGetGlobalParent(old);
  const unsigned count = LLVMCountParams(old), all = count + more;
  LLVMTypeRef *types = allocated(calloc(all + 1, sizeof *types));
  LLVMGetParamTypes(LLVMGlobalGetValueType(old), types);
  for (unsigned i = count; i < all; i++)
    types[i] = LLVMPointerTypeInContext(LLVMGetModuleContext(module), GLOBAL_ADDRESS_SPACE);
  LLVMValueRef made =
      LLVMAddFunction(module, "", LLVMFunctionType(LLVMGetReturnType(LLVMGlobalGetValueType(old)), types, all, 0));
  free(types);
  LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(old));
  LLVMSetLinkage(made, LLVMGetLinkage(old));
  copy_attributes(old, made, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
  for (unsigned i = 0; i < count; i++) {
    copy_attributes(old, made, i + 1);
    LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(made, i));
  }
  for (LLVMBasicBlockRef block; (block = LLVMGetFirstBasicBlock(old));) {
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(made, block);
  }
  copy_metadata(old, made);
  size_t length;
  char *name = allocated(strdup(LLVMGetValueName2(old, &length)));
  LLVMReplaceAllUsesWith(old, made);
  LLVMDeleteFunction(old);
  LLVMSetValueName2(made, name, strlen(name));
  free(name);
  return made;
}
