// SPDX-License-Identifier: Apache-2.0
#include "hls/autorun.h"

#include <stdio.h>

#include "hls/channels.h"
#include "hls/flow_graph.h"
#include "hls/ir.h"
#include "hls/kernel_entry.h"
#include "hls/kernel_hints.h"

#define GOES_ON "__heddle_goes_on"  // stands for a question that is known when there is a pipe to ask for
#define WAITS "heddle-waits"        // an autorun kernel does

// ---- what one has to be

static bool waits(LLVMValueRef kernel) {
  return LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, WAITS, sizeof WAITS - 1);
}

static bool is_of_one_work_item(LLVMValueRef kernel) {
  struct ir_metadata size = ir_metadata_of(kernel, "reqd_work_group_size");
  const bool is = size.count == 3 && ir_metadata_number(&size, 0) == 1 && ir_metadata_number(&size, 1) == 1 &&
                  ir_metadata_number(&size, 2) == 1;
  ir_metadata_free(&size);
  return is;
}

enum status autorun_refuse(LLVMValueRef kernel, const char *why) {
  size_t length;
  ir_print_place_of_function(kernel);
  fprintf(stderr, "error: autorun kernel '%s' %s\n", LLVMGetValueName2(kernel, &length), why);
  return STATUS_REJECTED;
}

enum status autorun_refuse_without_channel(LLVMValueRef kernel) {
  return autorun_refuse(kernel,
                        "waits at no channel, and so would never end: read_channel_intel and write_channel_intel do");
}

enum status autorun_check(LLVMValueRef kernel) {
  if (LLVMCountParams(kernel) != 0)
    return autorun_refuse(kernel, "has arguments, which nobody sets");
  if (!is_of_one_work_item(kernel))
    return autorun_refuse(kernel, "is of several work-items: max_global_work_dim(0) says that it is of one");
  return waits(kernel) ? STATUS_OK : autorun_refuse_without_channel(kernel);
}

// ---- again and again

// What an entry block has to have; nothing leads back to one.
static void move_variables(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBuilderRef builder) {
  LLVMPositionBuilderAtEnd(builder, to);
  for (LLVMValueRef at = LLVMGetFirstInstruction(from), next; at; at = next) {
    next = LLVMGetNextInstruction(at);
    if (!LLVMIsAAllocaInst(at))
      continue;
    LLVMInstructionRemoveFromParent(at);
    LLVMInsertIntoBuilder(builder, at);
  }
  LLVMBuildBr(builder, from);
}

// Goes there, or to the end.
static void build_again(LLVMBuilderRef builder, LLVMBasicBlockRef there, LLVMBasicBlockRef end) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(there));
  LLVMTypeRef type = LLVMFunctionType(LLVMInt1TypeInContext(LLVMGetModuleContext(module)), NULL, 0, 0);
  LLVMValueRef goes_on = LLVMGetNamedFunction(module, GOES_ON);
  goes_on = goes_on ? goes_on : LLVMAddFunction(module, GOES_ON, type);
  LLVMBuildCondBr(builder, LLVMBuildCall2(builder, type, goes_on, NULL, 0, ""), there, end);
}

// The jump back of a loop that is in no other and that nothing leads out of, as `while (1)` is; NULL: it is none.
static LLVMValueRef endless_jump(const struct flow_graph *graph, const struct flow_node *header) {
  LLVMValueRef found = NULL;
  if (!header->is_header || header->outer != FLOW_NONE)
    return NULL;
  for (size_t i = 0; i < graph->count; i++) {
    LLVMBasicBlockRef block = graph->nodes[i].block;
    if (graph->nodes[i].state != FLOW_DONE || !flow_graph_is_in_loop(graph, block, header->block))
      continue;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    const unsigned ways = LLVMGetNumSuccessors(last);
    for (unsigned k = 0; k < ways; k++)
      if (!flow_graph_is_in_loop(graph, LLVMGetSuccessor(last, k), header->block))
        return NULL;
    if (ways == 1 && LLVMGetSuccessor(last, 0) == header->block)
      found = last;
  }
  return found;
}

// Loops that never end get a way to the end.
static void leave_loops(LLVMValueRef kernel, LLVMBasicBlockRef end, LLVMBuilderRef builder) {
  struct flow_graph graph = flow_graph_open(kernel);
  for (size_t i = 0; i < graph.count; i++) {
    LLVMValueRef jump = endless_jump(&graph, &graph.nodes[i]);
    if (!jump)
      continue;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(jump);
    LLVMInstructionEraseFromParent(jump);
    LLVMPositionBuilderAtEnd(builder, block);
    build_again(builder, graph.nodes[i].block, end);
  }
  flow_graph_close(&graph);
}

void autorun_repeat(LLVMValueRef kernel) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef begin = LLVMGetEntryBasicBlock(kernel),
                    variables = LLVMInsertBasicBlockInContext(context, begin, "variables"),
                    end = LLVMAppendBasicBlockInContext(context, kernel, "end");
  move_variables(begin, variables, builder);
  for (LLVMBasicBlockRef block = begin; block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (!last || !LLVMIsAReturnInst(last))
      continue;
    LLVMInstructionEraseFromParent(last);
    LLVMPositionBuilderAtEnd(builder, block);
    build_again(builder, begin, end);
  }
  LLVMPositionBuilderAtEnd(builder, end);
  LLVMBuildRetVoid(builder);
  leave_loops(kernel, end, builder);
  LLVMDisposeBuilder(builder);
}

void autorun_set_pipe(LLVMValueRef kernel, LLVMValueRef pipe) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
      next = LLVMGetNextInstruction(at);
      if (!ir_calls(at, GOES_ON))
        continue;
      LLVMPositionBuilderBefore(builder, at);
      LLVMReplaceAllUsesWith(at, LLVMBuildICmp(builder, LLVMIntNE, pipe, LLVMConstNull(LLVMTypeOf(pipe)), ""));
      LLVMInstructionEraseFromParent(at);
    }
  LLVMDisposeBuilder(builder);
}

// ---- the end

void autorun_take_waits(LLVMModuleRef module, bool ends) {
  static const char end[] = "beqz $0, 1f\n" KERNEL_ENTRY_EXIT "\n1:";
  LLVMValueRef function = LLVMGetNamedFunction(module, CHANNELS_AWAITED);
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
    LLVMValueRef call = LLVMGetUser(use);
    LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    next = LLVMGetNextUse(use);
    if (!kernel_hints_autorun(kernel))
      continue;
    ir_set_string_attribute(kernel, WAITS, "");
    channels_take_wait(call, ends ? end : NULL);
  }
}
