// SPDX-License-Identifier: Apache-2.0
// Pauses in loops that wait for other work-items: the device counts them to see when it is the others' turn
// (contract/DEVICE.md, "Which lanes run"). Such a loop reads what another work-item writes. So it has a load that is
// volatile or atomic, a copy of a volatile structure, or a fence, before which it reads anew; an atomic instruction
// counts by itself.
#include "hls/pauses.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

#include "hls/flow_graph.h"
#include "hls/ir.h"

// Fences of the built-in library, as they are and as a device that checks kernels gets them, and of SPIR-V.
static bool is_fence(LLVMValueRef instruction) {
  return LLVMIsAFenceInst(instruction) || ir_is_memory_assembly(instruction, "") ||
         ir_is_memory_assembly(instruction, "fence");
}

static bool is_volatile_copy(LLVMValueRef instruction) {
  enum { IS_VOLATILE = 3 };
  return (LLVMIsAMemCpyInst(instruction) || LLVMIsAMemMoveInst(instruction)) &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, IS_VOLATILE)) != 0;
}

static bool may_wait(LLVMValueRef instruction) {
  if (LLVMIsALoadInst(instruction))
    return LLVMGetVolatile(instruction) || LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
  return is_volatile_copy(instruction) || is_fence(instruction);
}

static bool has_one(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
      if (may_wait(at))
        return true;
  return false;
}

// What calls it may do so in a loop.
static bool is_called(LLVMValueRef function) {
  return !!LLVMGetFirstUse(function);
}

// As assembly: LLVM selects its own function of it only for targets that name Zihintpause.
static void build_pause(LLVMContextRef context, LLVMBuilderRef builder) {
  static const char text[] = "fence w, 0";
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMValueRef pause = LLVMGetInlineAsm(type, text, sizeof text - 1, "", 0, 1, 0, LLVMInlineAsmDialectATT, 0);
  LLVMBuildCall2(builder, type, pause, NULL, 0, "");
}

// The device counts each of them.
static bool is_atomic(LLVMValueRef instruction) {
  return LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction);
}

// One for each time through the block is enough, and none where an atomic counts, around which fences may stand.
static void put_in(LLVMBasicBlockRef block, LLVMContextRef context, LLVMBuilderRef builder) {
  LLVMValueRef last = NULL;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
    if (is_atomic(at))
      return;
    last = may_wait(at) ? at : last;
  }
  if (!last)
    return;
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(last));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(last));
  build_pause(context, builder);
}

void pauses_put(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!has_one(f))
      continue;
    struct flow_graph graph = flow_graph_open(f);
    for (size_t i = 0; i < graph.count; i++)
      if (graph.nodes[i].loop != FLOW_NONE || is_called(f))
        put_in(graph.nodes[i].block, context, builder);
    flow_graph_close(&graph);
  }
  LLVMDisposeBuilder(builder);
}
