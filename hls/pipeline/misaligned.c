// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/misaligned.h"

#include <llvm-c/DebugInfo.h>

#include "hls/ir.h"

enum { WORD_BYTES = 4, MOST_BYTES = 8 };

static LLVMTypeRef accessed_type(LLVMValueRef at) {
  return LLVMTypeOf(LLVMIsAStoreInst(at) ? LLVMGetOperand(at, 0) : at);
}

// Bytes of each part; 0: the access stays. Doubles and longs are accessed by words anyway.
static unsigned part_of(LLVMTargetDataRef layout, LLVMValueRef at) {
  if ((!LLVMIsALoadInst(at) && !LLVMIsAStoreInst(at)) || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic)
    return 0;
  LLVMTypeRef type = accessed_type(at);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  const bool is_scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMHalfTypeKind ||
                         kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (!is_scalar)
    return 0;
  const unsigned long long bytes = LLVMABISizeOfType(layout, type), stored = LLVMStoreSizeOfType(layout, type);
  const unsigned wanted = bytes > WORD_BYTES ? WORD_BYTES : (unsigned)bytes, is = LLVMGetAlignment(at);
  return bytes != stored || bytes > MOST_BYTES || is >= wanted ? 0 : is;
}

static LLVMValueRef build_part_address(LLVMBuilderRef builder, LLVMValueRef address, unsigned offset) {
  LLVMContextRef context = LLVMGetBuilderContext(builder);
  LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(context), offset, 0);
  return offset == 0 ? address : LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), address, &index, 1, "");
}

static LLVMValueRef build_load(LLVMBuilderRef builder, LLVMTypeRef whole, LLVMValueRef at, unsigned part) {
  LLVMTypeRef type = LLVMIntTypeInContext(LLVMGetBuilderContext(builder), 8 * part);
  LLVMValueRef value = LLVMConstNull(whole);
  for (unsigned offset = 0; offset < LLVMGetIntTypeWidth(whole) / 8; offset += part) {
    LLVMValueRef load = LLVMBuildLoad2(builder, type, build_part_address(builder, LLVMGetOperand(at, 0), offset), "");
    LLVMSetAlignment(load, part);
    ir_copy_access(at, load);
    LLVMValueRef wide = LLVMBuildZExt(builder, load, whole, "");
    value = LLVMBuildOr(builder, value, LLVMBuildShl(builder, wide, LLVMConstInt(whole, 8ull * offset, 0), ""), "");
  }
  if (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(builder, value, LLVMTypeOf(at), "");
  return LLVMBuildBitCast(builder, value, LLVMTypeOf(at), "");
}

static void build_store(LLVMBuilderRef builder, LLVMTypeRef whole, LLVMValueRef at, unsigned part) {
  LLVMTypeRef type = LLVMIntTypeInContext(LLVMGetBuilderContext(builder), 8 * part);
  LLVMValueRef value = LLVMGetOperand(at, 0);
  value = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(builder, value, whole, "")
                                                                    : LLVMBuildBitCast(builder, value, whole, "");
  for (unsigned offset = 0; offset < LLVMGetIntTypeWidth(whole) / 8; offset += part) {
    LLVMValueRef shifted = LLVMBuildLShr(builder, value, LLVMConstInt(whole, 8ull * offset, 0), "");
    LLVMValueRef store = LLVMBuildStore(builder, LLVMBuildTrunc(builder, shifted, type, ""),
                                        build_part_address(builder, LLVMGetOperand(at, 1), offset));
    LLVMSetAlignment(store, part);
    ir_copy_access(at, store);
  }
}

static bool split(LLVMBuilderRef builder, LLVMTargetDataRef layout, LLVMValueRef at) {
  const unsigned part = part_of(layout, at);
  if (part == 0)
    return false;
  const unsigned long long bytes = LLVMStoreSizeOfType(layout, accessed_type(at));
  LLVMTypeRef whole = LLVMIntTypeInContext(LLVMGetBuilderContext(builder), 8 * (unsigned)bytes);
  LLVMPositionBuilderBefore(builder, at);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
  if (LLVMIsALoadInst(at))
    LLVMReplaceAllUsesWith(at, build_load(builder, whole, at, part));
  else
    build_store(builder, whole, at, part);
  LLVMInstructionEraseFromParent(at);
  return true;
}

bool misaligned_split(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      LLVMValueRef next;
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = next) {
        next = LLVMGetNextInstruction(at);
        any |= split(builder, layout, at);
      }
    }
  LLVMDisposeBuilder(builder);
  return any;
}
