// SPDX-License-Identifier: Apache-2.0
// Where work-items may return early (checks.h): a mark in front of each way to the end of a function that has several.
// It also keeps the optimiser from making one of two ways, so that who returns does nothing that the others do later.
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "contract/check.h"
#include "contract/device_map.h"
#include "hls/checks.h"
#include "hls/ir.h"

enum { MOST_ENDS = 32 };

// Blocks by which a function ends and nothing is done.
struct ends {
  LLVMBasicBlockRef blocks[MOST_ENDS];
  unsigned count;
};

static bool is_end(const struct ends *ends, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < ends->count; i++)
    if (ends->blocks[i] == block)
      return true;
  return false;
}

// Whether a block only ends lives of variables, and looks where clang has kept in which way it leaves them.
static bool does_nothing(LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
    const bool is_idle = ir_calls(at, "llvm.lifetime.end") || LLVMIsALoadInst(at) || LLVMIsABranchInst(at) ||
                         LLVMIsASwitchInst(at) || LLVMIsAReturnInst(at);
    if (!is_idle)
      return false;
  }
  return true;
}

static LLVMBasicBlockRef block_of_use(LLVMUseRef use) {
  return LLVMGetInstructionParent(LLVMGetUser(use));
}

static void find_ends(struct ends *ends, LLVMBasicBlockRef last) {
  *ends = (struct ends){.blocks = {last}, .count = 1};
  for (unsigned i = 0; i < ends->count; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(ends->blocks[i])); use; use = LLVMGetNextUse(use)) {
      LLVMBasicBlockRef before = LLVMIsAInstruction(LLVMGetUser(use)) ? block_of_use(use) : NULL;
      if (before && ends->count < MOST_ENDS && !is_end(ends, before) && does_nothing(before) &&
          LLVMGetFirstInstruction(before) != LLVMGetBasicBlockTerminator(before))
        ends->blocks[ends->count++] = before;
    }
}

static void mark_return(LLVMBuilderRef builder, LLVMValueRef jump, unsigned number) {
  static const char constraints[] = "~{memory}";
  char text[32];
  const unsigned says = HEDDLE_CHECK_FLAGS | HEDDLE_CHECK_RETURNS | number % HEDDLE_CHECK_RETURNS;
  const int length = snprintf(text, sizeof text, "lui zero, %u", says);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetTypeContext(LLVMTypeOf(jump))), NULL, 0, 0);
  LLVMPositionBuilderBefore(builder, jump);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(jump));
  LLVMBuildCall2(builder, type,
                 LLVMGetInlineAsm(type, text, (size_t)length, constraints, sizeof constraints - 1, 1, 0,
                                  LLVMInlineAsmDialectATT, 0),
                 NULL, 0, "");
}

// The ways that come from outside by a jump alone: a return of the source does.
static void mark_ways(LLVMBuilderRef builder, const struct ends *ends, unsigned *number) {
  unsigned ways = 0;
  for (int marks = 0; marks <= 1; marks++)
    for (unsigned i = 0; i < ends->count && (marks == 0 || ways > 1); i++)
      for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(ends->blocks[i])); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef jump = LLVMGetUser(use);
        if (!LLVMIsAInstruction(jump) || is_end(ends, LLVMGetInstructionParent(jump)))
          continue;
        ways++;
        if (marks != 0 && LLVMIsABranchInst(jump) && !LLVMIsConditional(jump))
          mark_return(builder, jump, (*number)++);
      }
}

void checks_show_returns(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  unsigned number = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!checks_are_of_program(f))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      struct ends ends;
      if (!LLVMGetBasicBlockTerminator(block) || !LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)) ||
          !does_nothing(block))
        continue;
      find_ends(&ends, block);
      mark_ways(builder, &ends, &number);
    }
  }
  LLVMDisposeBuilder(builder);
}
