// SPDX-License-Identifier: Apache-2.0
// Lanes that part within a loop are to be together in its next round, as the source has them: the work-items that an
// active-set collective works on are those that execute it together. Forward they meet by themselves, since the
// smallest PC runs first. But code generation sends who has nothing left to do in a round straight back to the loop's
// head, which is the smallest PC. So the last block of a loop gets something in it: an empty instruction that may not
// be copied.
#include "hls/loop_ends.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>
#include <stdbool.h>

#include "hls/active_sets.h"
#include "hls/flow_graph.h"
#include "hls/ir.h"

static void redirect(LLVMValueRef function, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
      if (LLVMGetSuccessor(end, i) == from)
        LLVMSetSuccessor(end, i, to);
  }
}

// All but the block's branch moves to a block in front of it: a choice there has been made when the branch is reached.
static void separate(LLVMValueRef function, LLVMBasicBlockRef block, LLVMBuilderRef builder) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block), next;
  LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(context, block, "");
  redirect(function, block, front);
  LLVMPositionBuilderAtEnd(builder, front);
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != end; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));  // insertion gives it the builder's
    LLVMInstructionRemoveFromParent(at);
    LLVMInsertIntoBuilder(builder, at);
  }
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
  LLVMBuildBr(builder, block);
  LLVMPositionBuilderBefore(builder, end);
  ir_build_nothing(builder);
}

static void join_in(LLVMValueRef function, LLVMBuilderRef builder) {
  struct flow_graph graph = flow_graph_open(function);
  for (size_t i = 0; i < graph.count; i++)
    if (graph.nodes[i].ends_a_loop)
      separate(function, graph.nodes[i].block, builder);
  flow_graph_close(&graph);
}

// Of lanes at different places those at the smallest PC run, so where paths meet is to lie behind all of them.
static void lay_out(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    struct flow_graph graph = flow_graph_open(f);
    flow_graph_lay_out(&graph);
    flow_graph_close(&graph);
  }
}

// Code generation leaves blocks where they are, and lays those that it makes of one behind that one. It may neither
// move, copy, nor join them: what moves a block looks at how likely it is, or for one to fall through into. What then
// stays of jumps, jumps_leave_out takes away.
static void keep_order(void) {
  const char *arguments[] = {"heddlec",
                             "-disable-block-placement",
                             "-disable-branch-fold",
                             "-disable-early-taildup",
                             "-disable-tail-duplicate",
                             "-enable-shrink-wrap-region-split=false"};
  LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
}

static bool is_reducible(LLVMModuleRef module) {
  bool result = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    struct flow_graph graph = flow_graph_open(f);
    result = result && graph.is_reducible;
    flow_graph_close(&graph);
  }
  return result;
}

enum status loop_ends_join(LLVMModuleRef module, LLVMTargetMachineRef machine, bool *is_in_order) {
  const struct active_sets found = active_sets_find(module);
  *is_in_order = found.alone;
  if (!found.any)
    return STATUS_OK;
  const char *passes =
      is_reducible(module) ? "function(loop-simplify)" : "function(lower-switch,fix-irreducible,loop-simplify)";
  enum status status = ir_run_passes(module, machine, "ends of loops", passes);
  if (status != STATUS_OK)
    return status;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    join_in(f, builder);
  LLVMDisposeBuilder(builder);
  if (found.alone) {
    lay_out(module);
    keep_order();
  }
  return STATUS_OK;
}
