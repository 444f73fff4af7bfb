// SPDX-License-Identifier: Apache-2.0
// Lanes that part within a loop are to be together in its next round, as the source has them: the work-items that an
// active-set collective works on are those that execute it together. Forward they meet by themselves, since the
// smallest PC runs first. But code generation sends who has nothing left to do in a round straight back to the loop's
// head, which is the smallest PC. So the last block of a loop gets something in it: an empty instruction that may not
// be copied.
#include "hls/loop_ends.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"

enum { SCOPE_OPERAND = 2, SCOPE_MASK = 3, SCOPE_ACTIVE = 2 };  // lib/device.h; bit 2 of a scope says 64 bits

struct found {
  bool active_sets;
  bool alone;  // of them, one that does not stand behind a barrier of the sub-group
};

static const char *collective_text(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) == NULL || LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) == NULL) {
    return NULL;
  }
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(instruction), &length);
  return text != NULL && strstr(text, "CUSTOM_0") != NULL ? text : NULL;
}

// The collective before it is one with a barrier in its statement (lib/collective_trees.cl): its lanes are together.
static bool is_behind_barrier(LLVMValueRef instruction) {
  const char *text = NULL;
  do {
    instruction = LLVMGetPreviousInstruction(instruction);
    text = instruction != NULL ? collective_text(instruction) : NULL;
  } while (instruction != NULL && text == NULL);
  return text != NULL && strstr(text, "x0, x0, x0\n") != NULL;
}

static void find_active_set(LLVMValueRef instruction, void *context) {
  struct found *found = context;
  if (collective_text(instruction) != NULL && LLVMGetNumArgOperands(instruction) > SCOPE_OPERAND) {
    LLVMValueRef scope = LLVMIsAConstantInt(LLVMGetOperand(instruction, SCOPE_OPERAND));
    if (scope != NULL && (LLVMConstIntGetZExtValue(scope) & SCOPE_MASK) == SCOPE_ACTIVE) {
      found->active_sets = true;
      found->alone = found->alone || !is_behind_barrier(instruction);
    }
  }
}

// A function's blocks by address, and how far the walk over them is.
struct node {
  LLVMBasicBlockRef block;
  enum { NEW, UNDER_WAY, DONE } state;
  bool ends_a_loop;
};

struct graph {
  struct node *nodes;
  size_t count;
};

static int compare(const void *a, const void *b) {
  const struct node *x = a, *y = b;
  return (x->block > y->block) - (x->block < y->block);
}

// Depth first: an edge to a block whose walk is under way goes back.
static void walk(const struct graph *graph, struct node *node) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(node->block);
  node->state = UNDER_WAY;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
    const struct node key = {.block = LLVMGetSuccessor(end, i)};
    struct node *next = bsearch(&key, graph->nodes, graph->count, sizeof key, compare);
    if (next->state == NEW) {
      walk(graph, next);
    } else if (next->state == UNDER_WAY) {
      node->ends_a_loop = true;
    }
  }
  node->state = DONE;
}

static void redirect(LLVMValueRef function, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    for (unsigned i = 0; end != NULL && i < LLVMGetNumSuccessors(end); i++) {
      if (LLVMGetSuccessor(end, i) == from) {
        LLVMSetSuccessor(end, i, to);
      }
    }
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
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, "", 0, 1, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef call = LLVMBuildCall2(builder, type, nothing, NULL, 0, "");
  for (int i = 0; i < 2; i++) {
    const char *name = i == 0 ? "convergent" : "noduplicate";
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
  }
}

static void join_in(LLVMValueRef function, LLVMBuilderRef builder) {
  struct graph graph = {.count = LLVMCountBasicBlocks(function)};
  graph.nodes = calloc(graph.count + 1, sizeof *graph.nodes);
  if (graph.nodes == NULL) {
    abort();
  }
  size_t used = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
    graph.nodes[used++].block = b;
  }
  if (used > 0) {
    const struct node entry = {.block = LLVMGetFirstBasicBlock(function)};
    qsort(graph.nodes, used, sizeof *graph.nodes, compare);
    walk(&graph, bsearch(&entry, graph.nodes, used, sizeof entry, compare));
  }
  for (size_t i = 0; i < used; i++) {
    if (graph.nodes[i].ends_a_loop) {
      separate(function, graph.nodes[i].block, builder);
    }
  }
  free(graph.nodes);
}

// Code generation makes branches of its own, for choices between values, and has ways to arrange them in which lanes
// that went round by the far side come back behind the others, after a collective that they should have met at. So
// choices become a branch over one move, fixed when all code has its place, and blocks are neither copied nor are their
// like ends made one. That leaves seldom cases: a block made for an edge between two that have their places already.
static void keep_choices_in_place(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  const char *arguments[] = {"heddlec", "-tail-dup-placement=false", "-enable-tail-merge=false"};
  LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
  char *features = LLVMGetTargetMachineFeatureString(machine), *more = NULL;
  if (asprintf(&more, "%s,+short-forward-branch-ialu", features) < 0) {
    abort();
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    ir_set_string_attribute(f, "target-features", more);
  }
  free(more);
  LLVMDisposeMessage(features);
}

enum status loop_ends_join(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  struct found found = {0};
  ir_each_instruction(module, find_active_set, &found);
  if (!found.active_sets) {
    return STATUS_OK;
  }
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "function(loop-simplify)", machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error != NULL) {
    char *message = LLVMGetErrorMessage(error);
    fprintf(stderr, "heddlec: ends of loops: %s\n", message);
    LLVMDisposeErrorMessage(message);
    return STATUS_FAILED;
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    join_in(f, builder);
  }
  LLVMDisposeBuilder(builder);
  if (found.alone) {
    keep_choices_in_place(module, machine);
  }
  return STATUS_OK;
}
