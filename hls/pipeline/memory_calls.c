// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/memory_calls.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/blocks.h"
#include "hls/pipeline/tables.h"

// As many accesses are made one by one; more are a loop. Of a private array fewer, since each access of it in the code
// is a port of its memory.
enum { STRAIGHT_MAX = 32, PRIVATE_STRAIGHT_MAX = 2 };

enum kind { NONE, COPY, MOVE, FILL };

static enum kind kind_of(LLVMValueRef at) {
  static const struct {
    const char *name;
    enum kind kind;
  } intrinsics[] = {
      {"llvm.memcpy", COPY}, {"llvm.memcpy.inline", COPY}, {"llvm.memmove", MOVE},
      {"llvm.memset", FILL}, {"llvm.memset.inline", FILL},
  };
  LLVMValueRef function = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
  const unsigned id = function && LLVMIsAFunction(function) ? LLVMGetIntrinsicID(function) : 0;
  for (size_t i = 0; id != 0 && i < sizeof intrinsics / sizeof *intrinsics; i++)
    if (LLVMLookupIntrinsicID(intrinsics[i].name, strlen(intrinsics[i].name)) == id)
      return intrinsics[i].kind;
  return NONE;
}

// One call and how it is done.
struct transfer {
  LLVMBuilderRef builder;
  LLVMContextRef context;
  enum kind kind;
  LLVMValueRef to, from;  // of FILL, the byte
  LLVMTypeRef element;
  uint32_t size;  // of an element, in bytes
  bool is_volatile;
};

static uint32_t pointer_alignment(LLVMValueRef call, unsigned operand) {
  LLVMAttributeRef attribute =
      LLVMGetCallSiteEnumAttribute(call, operand + 1, LLVMGetEnumAttributeKindForName("align", strlen("align")));
  return attribute ? (uint32_t)LLVMGetEnumAttributeValue(attribute) : 1;
}

// The private array that a call fills, or copies from or to; else NULL.
static LLVMValueRef private_array_of(LLVMValueRef call, enum kind kind) {
  for (unsigned i = 0; i < (kind == FILL ? 1 : 2); i++) {
    LLVMValueRef base = table_base(LLVMGetOperand(call, i));
    if (base && LLVMIsAAllocaInst(base))
      return base;
  }
  return NULL;
}

// Bytes of an element of a private array, which is what its other accesses are of; 4 if it has no one kind of elements.
static uint32_t private_element_size(LLVMValueRef array, LLVMTargetDataRef layout) {
  LLVMTypeRef type = LLVMGetAllocatedType(array);
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  const uint64_t size = LLVMABISizeOfType(layout, type);
  return kind != LLVMStructTypeKind && kind != LLVMVectorTypeKind && size <= 8 ? (uint32_t)size : 4;
}

// The largest element, up to a word, or to what the private array has, that alignments and length allow.
static uint32_t element_size(LLVMValueRef call, enum kind kind, LLVMValueRef array) {
  LLVMValueRef length = LLVMGetOperand(call, 2);
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))));
  uint64_t all = (array ? private_element_size(array, layout) : 4) | pointer_alignment(call, 0) |
                 (kind == FILL ? 0 : pointer_alignment(call, 1));
  all |= LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 1;
  return (uint32_t)(all & (0 - all));
}

static LLVMValueRef number(const struct transfer *transfer, uint64_t value) {
  return LLVMConstInt(LLVMInt32TypeInContext(transfer->context), value, 0);
}

static LLVMValueRef build_load(const struct transfer *transfer, LLVMValueRef index) {
  if (transfer->kind == FILL) {
    LLVMValueRef byte = LLVMBuildZExt(transfer->builder, transfer->from, transfer->element, "");
    return LLVMBuildMul(transfer->builder, byte,
                        LLVMConstInt(transfer->element, UINT64_C(0x0101010101010101) >> (64 - 8 * transfer->size), 0),
                        "");
  }
  LLVMValueRef place = LLVMBuildGEP2(transfer->builder, transfer->element, transfer->from, &index, 1, "");
  LLVMValueRef load = LLVMBuildLoad2(transfer->builder, transfer->element, place, "");
  LLVMSetAlignment(load, transfer->size);
  LLVMSetVolatile(load, transfer->is_volatile);
  return load;
}

static void build_store(const struct transfer *transfer, LLVMValueRef value, LLVMValueRef index) {
  LLVMValueRef place = LLVMBuildGEP2(transfer->builder, transfer->element, transfer->to, &index, 1, "");
  LLVMValueRef store = LLVMBuildStore(transfer->builder, value, place);
  LLVMSetAlignment(store, transfer->size);
  LLVMSetVolatile(store, transfer->is_volatile);
}

// All loads before all stores, as a move may overlap.
static void build_straight(const struct transfer *transfer, uint32_t count) {
  LLVMValueRef values[STRAIGHT_MAX];
  for (uint32_t i = 0; i < count; i++)
    values[i] = build_load(transfer, number(transfer, i));
  for (uint32_t i = 0; i < count; i++)
    build_store(transfer, values[i], number(transfer, i));
}

// for (i = 0; i != count; i++) to[i] = from[i]; of a move that goes up, from the last to the first. The builder stands
// in front of the call, and afterwards too.
static void build_loop(const struct transfer *transfer, LLVMValueRef call, LLVMValueRef count, bool may_go_down) {
  LLVMBuilderRef builder = transfer->builder;
  LLVMValueRef goes_down = NULL;
  if (may_go_down) {
    LLVMTypeRef word = LLVMInt32TypeInContext(transfer->context);
    goes_down = LLVMBuildICmp(builder, LLVMIntULT, LLVMBuildPtrToInt(builder, transfer->from, word, ""),
                              LLVMBuildPtrToInt(builder, transfer->to, word, ""), "");
  }
  LLVMBasicBlockRef before = blocks_cut(builder, call), after = LLVMGetInstructionParent(call);
  LLVMBasicBlockRef loop = LLVMInsertBasicBlockInContext(transfer->context, after, "copy");
  LLVMValueRef is_empty = LLVMBuildICmp(builder, LLVMIntEQ, count, number(transfer, 0), "");
  LLVMBuildCondBr(builder, is_empty, after, loop);

  LLVMPositionBuilderAtEnd(builder, loop);
  LLVMValueRef round = LLVMBuildPhi(builder, LLVMTypeOf(count), "");
  LLVMValueRef next = LLVMBuildAdd(builder, round, number(transfer, 1), "");
  LLVMValueRef index = round;
  if (goes_down)
    index = LLVMBuildSelect(builder, goes_down, LLVMBuildSub(builder, count, next, ""), round, "");
  build_store(transfer, build_load(transfer, index), index);
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, next, count, ""), after, loop);
  LLVMValueRef values[] = {number(transfer, 0), next};
  LLVMBasicBlockRef blocks[] = {before, loop};
  LLVMAddIncoming(round, values, blocks, 2);
  LLVMPositionBuilderBefore(builder, call);
}

static void expand(LLVMBuilderRef builder, LLVMValueRef call, enum kind kind) {
  LLVMContextRef context = LLVMGetBuilderContext(builder);
  LLVMValueRef array = private_array_of(call, kind);
  struct transfer transfer = {.builder = builder,
                              .context = context,
                              .kind = kind,
                              .to = LLVMGetOperand(call, 0),
                              .from = LLVMGetOperand(call, 1),
                              .size = element_size(call, kind, array),
                              .is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) != 0};
  transfer.element = LLVMIntTypeInContext(context, transfer.size * 8);
  LLVMValueRef length = LLVMGetOperand(call, 2);
  LLVMPositionBuilderBefore(builder, call);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
  const uint64_t count = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) / transfer.size : UINT64_MAX;
  if (count <= (array ? PRIVATE_STRAIGHT_MAX : STRAIGHT_MAX)) {
    build_straight(&transfer, (uint32_t)count);
  } else {
    LLVMValueRef rounds = count != UINT64_MAX
                              ? number(&transfer, count)
                              : LLVMBuildIntCast2(builder, length, LLVMInt32TypeInContext(context), 0, "");
    build_loop(&transfer, call, rounds, kind == MOVE);
  }
  LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef first_in(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (at && kind_of(at) == NONE)
    at = LLVMGetNextInstruction(at);
  return at;
}

void memory_calls_expand(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      // What is behind a call that becomes a loop stays in this block.
      for (LLVMValueRef at = first_in(block); at; at = first_in(block))
        expand(builder, at, kind_of(at));
    }
  }
  LLVMDisposeBuilder(builder);
}
