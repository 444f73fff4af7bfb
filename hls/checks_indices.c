// SPDX-License-Identifier: Apache-2.0
// Indices of arrays that are members of structures (checks.h). What lies behind such an array is of the same object, so
// its bounds say nothing. clang still has the array's type where it makes an address of an index.
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/check.h"
#include "contract/device_map.h"
#include "hls/checks.h"

static LLVMValueRef without_casts(LLVMValueRef address) {
  while (LLVMIsAAddrSpaceCastInst(address))
    address = LLVMGetOperand(address, 0);
  return address;
}

// Whether an address is one of an array that is a member of a structure. Of SYCL's members only the offsets are left.
static bool is_member(LLVMValueRef address) {
  LLVMValueRef element = without_casts(address);
  if (!LLVMIsAGetElementPtrInst(element))
    return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    return LLVMGetIntTypeWidth(type) == 8 && LLVMIsAConstantInt(LLVMGetOperand(element, 1));
  return LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMGetNumOperands(element) > 2;
}

// Whether a function returns a reference, as operator[] of C++'s arrays does: there has to be an element.
static bool returns_reference(LLVMValueRef function) {
  static const char name[] = "dereferenceable";
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeReturnIndex,
                                     LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
}

static bool is_returned(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAReturnInst(user))
      return returns_reference(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    if (LLVMIsAAddrSpaceCastInst(user) && is_returned(user))
      return true;
  }
  return false;
}

// Whether what an address is of is read or written there. (The address behind the last element may be taken.)
static bool is_accessed(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address))
      return true;
    if ((LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user)) && is_accessed(user))
      return true;
  }
  return false;
}

// How many elements the array has whose index is the last operand of `element`; 0: it is none whose bounds count. One
// of a single element at the end of a structure stands for any number of them.
static uint64_t elements_of(LLVMValueRef element) {
  LLVMTypeRef type = LLVMIsAGetElementPtrInst(element) ? LLVMGetGEPSourceElementType(element) : NULL;
  if (!type || LLVMGetTypeKind(type) != LLVMArrayTypeKind || LLVMGetNumOperands(element) != 3 ||
      LLVMGetArrayLength2(type) <= 1 || LLVMGetArrayLength2(type) >= HEDDLE_CHECK_FLAGS)
    return 0;
  const bool counts = (is_member(LLVMGetOperand(element, 0)) && is_accessed(element)) || is_returned(element);
  return counts ? LLVMGetArrayLength2(type) : 0;
}

static void mark_index(LLVMBuilderRef builder, LLVMValueRef element, uint64_t elements) {
  LLVMValueRef index = LLVMGetOperand(element, 2);
  LLVMTypeRef type = LLVMTypeOf(index), word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(builder, element);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(element));
  LLVMValueRef marked = checks_build_marks(builder, LLVMBuildIntCast2(builder, index, word, 1, ""),
                                           HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_INDEX, (unsigned)elements);
  LLVMSetOperand(element, 2, LLVMBuildIntCast2(builder, marked, type, 1, ""));
}

void checks_show_indices(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const bool is_of_program = checks_are_of_program(f);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        // Functions of C++'s headers have no places. They are inlined, and get those of their calls.
        const bool counts = LLVMIsAGetElementPtrInst(at) && (is_of_program || is_returned(at));
        const uint64_t elements = counts ? elements_of(at) : 0;
        if (elements != 0)
          mark_index(builder, at, elements);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
