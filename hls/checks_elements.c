// SPDX-License-Identifier: Apache-2.0
// Stores to elements of vectors (checks.h): clang reads the vector, puts the element in its place and stores the vector
// again. Of a program that writes one element after the other, or of work-items that share a vector, that would be
// reads of what nobody has written, and races.
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

#include "hls/checks.h"
#include "hls/ir.h"

// The read of a vector that a store writes back with other elements; NULL: it is no such store. Between the two nothing
// but elements is moved.
static LLVMValueRef read_for(LLVMValueRef store) {
  LLVMValueRef at = LLVMGetPreviousInstruction(store);
  while (at && (LLVMIsAInsertElementInst(at) || LLVMIsAShuffleVectorInst(at)))
    at = LLVMGetPreviousInstruction(at);
  const bool is_read = at && LLVMIsALoadInst(at) && ir_is_plain(at) &&
                       LLVMGetOperand(at, 0) == LLVMGetOperand(store, 1) &&
                       LLVMTypeOf(at) == LLVMTypeOf(LLVMGetOperand(store, 0));
  return is_read ? at : NULL;
}

// Whether an element of a value is what was read there, or nothing at all.
static bool is_as_read(LLVMValueRef value, LLVMValueRef read, unsigned element) {
  unsigned at = element;
  while (value != read) {
    if (LLVMIsPoison(value))
      return true;
    if (LLVMIsAInsertElementInst(value)) {
      LLVMValueRef place = LLVMIsAConstantInt(LLVMGetOperand(value, 2));
      if (!place || LLVMConstIntGetZExtValue(place) == at)
        return false;
      value = LLVMGetOperand(value, 0);
    } else if (LLVMIsAShuffleVectorInst(value)) {
      const unsigned first = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(value, 0)));
      const int from = LLVMGetMaskValue(value, at);
      if (from == LLVMGetUndefMaskElem())
        return true;
      value = LLVMGetOperand(value, (unsigned)from < first ? 0 : 1);
      at = (unsigned)from < first ? (unsigned)from : (unsigned)from - first;
    } else {
      return false;
    }
  }
  return at == element;
}

static void store_element(LLVMBuilderRef builder, LLVMValueRef store, LLVMValueRef element, LLVMValueRef place,
                          LLVMTargetDataRef layout) {
  LLVMValueRef zero = LLVMConstInt(LLVMTypeOf(place), 0, 0);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, LLVMTypeOf(LLVMGetOperand(store, 0)), LLVMGetOperand(store, 1),
                                               (LLVMValueRef[]){zero, place}, 2, "");
  const unsigned bytes = (unsigned)LLVMABISizeOfType(layout, LLVMTypeOf(element)), most = LLVMGetAlignment(store);
  LLVMSetAlignment(LLVMBuildStore(builder, element, address), bytes < most ? bytes : most);
}

// Stores the elements that are others than they were read.
static void store_elements(LLVMBuilderRef builder, LLVMValueRef store, LLVMValueRef read, LLVMTargetDataRef layout) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
  checks_mark_address(builder, store);
  LLVMPositionBuilderBefore(builder, store);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
  if (LLVMIsAInsertElementInst(value) && LLVMGetOperand(value, 0) == read) {
    store_element(builder, store, LLVMGetOperand(value, 1), LLVMGetOperand(value, 2), layout);
    LLVMInstructionEraseFromParent(store);
    return;
  }
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(value)); i++) {
    LLVMValueRef place = LLVMConstInt(index, i, 0);
    if (!is_as_read(value, read, i))
      store_element(builder, store, LLVMBuildExtractElement(builder, value, place, ""), place, layout);
  }
  LLVMInstructionEraseFromParent(store);
}

static bool is_of_bytes(LLVMTypeRef vector, LLVMTargetDataRef layout) {
  LLVMTypeRef element = LLVMGetElementType(vector);
  return LLVMSizeOfTypeInBits(layout, element) == 8 * LLVMABISizeOfType(layout, element);
}

void checks_store_elements(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!checks_are_of_program(f))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        LLVMTypeRef type = LLVMIsAStoreInst(at) && ir_is_plain(at) ? LLVMTypeOf(LLVMGetOperand(at, 0)) : NULL;
        LLVMValueRef read =
            type && LLVMGetTypeKind(type) == LLVMVectorTypeKind && is_of_bytes(type, layout) ? read_for(at) : NULL;
        if (read)
          store_elements(builder, at, read, layout);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
