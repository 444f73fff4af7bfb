// SPDX-License-Identifier: Apache-2.0
// What a program reads and writes as a whole (checks.h): values that it stores elsewhere, and vectors, whose addresses
// OpenCL wants to be multiples of their sizes. In the device's code the copy of a structure, which
// takes what lies between members along, looks like such values; here the two differ, as clang copies a structure as
// memory and reads a value by a load. SPIR-V and what is optimised already do not tell them apart.
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "contract/check.h"
#include "contract/device_map.h"
#include "hls/checks.h"
#include "hls/ir.h"

enum { MOST_BITS = 64, WORD_BITS = 32 };

static bool has_structure(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

static bool is_union(LLVMTypeRef type) {
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  return name && strncmp(name, "union.", strlen("union.")) == 0;
}

// The address of a member: of a structure, not of one of several.
static bool is_of_member(LLVMValueRef element) {
  return LLVMGetTypeKind(LLVMGetGEPSourceElementType(element)) == LLVMStructTypeKind &&
         LLVMGetNumOperands(element) > 2 && !is_union(LLVMGetGEPSourceElementType(element));
}

// Whether what is read at an address is a value of its own, and not maybe a piece of a structure that is copied piece
// by piece, nor a variable's, which checks_show_unwritten() looks after.
static bool is_value(LLVMValueRef address) {
  bool has_element = false;
  for (;; address = LLVMGetOperand(address, 0)) {
    if (LLVMIsAAddrSpaceCastInst(address))
      continue;
    if (!LLVMIsAGetElementPtrInst(address))
      break;
    if (is_of_member(address))
      return true;
    has_element = true;
    if (has_structure(LLVMGetGEPSourceElementType(address)))
      return false;
  }
  if (LLVMIsAAllocaInst(address))
    return has_element && !has_structure(LLVMGetAllocatedType(address));
  return !LLVMIsAGlobalVariable(address) || !has_structure(LLVMGlobalGetValueType(address));
}

// Whether a value is used for more than to compute others and addresses with it.
static bool is_handed_on(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    switch (LLVMGetInstructionOpcode(user)) {
      case LLVMAdd:
      case LLVMFAdd:
      case LLVMSub:
      case LLVMFSub:
      case LLVMMul:
      case LLVMFMul:
      case LLVMUDiv:
      case LLVMSDiv:
      case LLVMFDiv:
      case LLVMURem:
      case LLVMSRem:
      case LLVMFRem:
      case LLVMFNeg:
      case LLVMICmp:
      case LLVMFCmp:
      case LLVMGetElementPtr:
      case LLVMLoad:
        break;
      default:
        return true;
    }
  }
  return false;
}

static LLVMValueRef mark_word(LLVMBuilderRef builder, LLVMValueRef word) {
  return checks_build_mark(builder, word, HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_VALUE);
}

static LLVMValueRef mark_integer(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef bits = LLVMConstInt(type, WORD_BITS, 0);
  if (LLVMGetIntTypeWidth(type) <= WORD_BITS)
    return LLVMBuildIntCast2(builder, mark_word(builder, LLVMBuildIntCast2(builder, value, word, 0, "")), type, 0, "");
  LLVMValueRef low = mark_word(builder, LLVMBuildTrunc(builder, value, word, ""));
  LLVMValueRef high = mark_word(builder, LLVMBuildTrunc(builder, LLVMBuildLShr(builder, value, bits, ""), word, ""));
  return LLVMBuildOr(builder, LLVMBuildZExt(builder, low, type, ""),
                     LLVMBuildShl(builder, LLVMBuildZExt(builder, high, type, ""), bits, ""), "");
}

// The value with its marks; NULL: it is of another kind of type.
static LLVMValueRef mark_value(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMTypeRef word = LLVMInt32TypeInContext(context), bits = NULL;
  LLVMValueRef marked = NULL;
  switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
      return mark_word(builder, value);
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(type) <= MOST_BITS ? mark_integer(builder, value) : NULL;
    case LLVMHalfTypeKind:
      bits = LLVMInt16TypeInContext(context);
      break;
    case LLVMFloatTypeKind:
      bits = word;
      break;
    case LLVMDoubleTypeKind:
      bits = LLVMInt64TypeInContext(context);
      break;
    case LLVMVectorTypeKind:
      marked = LLVMGetPoison(type);
      for (unsigned i = 0; marked && i < LLVMGetVectorSize(type); i++) {
        LLVMValueRef at = LLVMConstInt(word, i, 0);
        LLVMValueRef element = mark_value(builder, LLVMBuildExtractElement(builder, value, at, ""));
        marked = element ? LLVMBuildInsertElement(builder, marked, element, at, "") : NULL;
      }
      return marked;
    default:
      return NULL;
  }
  return LLVMBuildBitCast(builder, mark_integer(builder, LLVMBuildBitCast(builder, value, bits, "")), type, "");
}

// Everything behind the read but the marks themselves uses them. Until then another instruction stands for it there.
static void mark_read(LLVMBuilderRef builder, LLVMValueRef read) {
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(read));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(read));
  LLVMValueRef stand_in = LLVMBuildFreeze(builder, read, ""), marked = mark_value(builder, stand_in);
  if (marked) {
    LLVMReplaceAllUsesWith(read, marked);
    LLVMSetOperand(stand_in, 0, read);
  }
  LLVMReplaceAllUsesWith(stand_in, read);
  LLVMInstructionEraseFromParent(stand_in);
}

static bool is_plain_load(LLVMValueRef instruction) {
  return LLVMIsALoadInst(instruction) && ir_is_plain(instruction);
}

// vload2, vload_half and the like.
static bool is_vload(LLVMValueRef instruction) {
  static const char begin[] = "vload";
  LLVMValueRef function = ir_callee(instruction);
  int length = 0;
  const char *name = function ? ir_source_name(function, &length) : NULL;
  return name && (size_t)length >= sizeof begin && memcmp(name, begin, sizeof begin - 1) == 0;
}

static bool is_read(LLVMValueRef instruction) {
  return is_vload(instruction) || (is_plain_load(instruction) && is_value(LLVMGetOperand(instruction, 0)));
}

// Each word of such an access may lie at any multiple of four on the device, which would not tell.
void checks_mark_address(LLVMBuilderRef builder, LLVMValueRef access) {
  enum { WORD_BYTES = 4 };
  const bool is_store = LLVMIsAStoreInst(access);
  const unsigned alignment = is_store || is_plain_load(access) ? LLVMGetAlignment(access) : 0;
  LLVMValueRef address = alignment > WORD_BYTES ? LLVMGetOperand(access, is_store ? 1 : 0) : NULL;
  if (!address || LLVMIsAAllocaInst(address) || LLVMIsAGlobalVariable(address))
    return;
  LLVMPositionBuilderBefore(builder, access);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(access));
  const unsigned says = HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_ALIGNED | (is_store ? HEDDLE_CHECK_STORE : 0) |
                        (unsigned)__builtin_ctz(alignment);
  LLVMSetOperand(access, is_store ? 1 : 0, checks_build_mark(builder, address, says));
}

static bool copies_pieces(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, CHECKS_COPIES_PIECES,
                                       sizeof CHECKS_COPIES_PIECES - 1);
}

void checks_show_reads(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!checks_are_of_program(f) || copies_pieces(f))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
        next = LLVMGetNextInstruction(at);
        if (is_read(at) && is_handed_on(at))
          mark_read(builder, at);
        checks_mark_address(builder, at);
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
