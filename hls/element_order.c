// SPDX-License-Identifier: Apache-2.0
// Operations of vectors, element by element (element_order.h). Time and memory are linear in the code, but for sorting.
#include "hls/element_order.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Operations of single elements in a block, from which on it is put in order. Fewer are few values, or code whose order
// others have chosen with care.
enum { ELEMENTS_LEAST = 256 };

struct operation {
  LLVMValueRef instruction;
  bool waits;  // taken out of the block, to be put in front of what needs it
};

struct visit {
  LLVMValueRef instruction;
  int next;  // operand to look at
};

struct block {
  LLVMBuilderRef builder;
  LLVMValueRef *in_order;        // as they stand
  struct operation *operations;  // those that may move, by address
  struct visit *visits;
  size_t count, movable;
};

// An intrinsic of LLVM's whose result follows from its operands alone, whoever else runs.
static bool is_pure_call(LLVMValueRef call) {
  static const char memory[] = "memory", convergent[] = "convergent", returns[] = "willreturn";
  LLVMValueRef function = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(function) || LLVMGetIntrinsicID(function) == 0)
    return false;
  const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMAttributeRef effects =
      LLVMGetEnumAttributeAtIndex(function, at, LLVMGetEnumAttributeKindForName(memory, strlen(memory)));
  return effects && LLVMGetEnumAttributeValue(effects) == 0 &&
         LLVMGetEnumAttributeAtIndex(function, at, LLVMGetEnumAttributeKindForName(returns, strlen(returns))) &&
         !LLVMGetEnumAttributeAtIndex(function, at, LLVMGetEnumAttributeKindForName(convergent, strlen(convergent)));
}

static bool may_move(LLVMValueRef instruction) {
  if (LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) || LLVMIsACmpInst(instruction))
    return true;
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
      return true;
    case LLVMCall:
      return is_pure_call(instruction);
    default:
      return false;
  }
}

static size_t elements_of(LLVMBasicBlockRef block) {
  size_t elements = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
    if (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMVectorTypeKind && may_move(at))
      elements += LLVMGetVectorSize(LLVMTypeOf(at));
  return elements;
}

static int by_address(const void *a, const void *b) {
  const uintptr_t one = (uintptr_t)((const struct operation *)a)->instruction,
                  other = (uintptr_t)((const struct operation *)b)->instruction;
  return one < other ? -1 : one > other;
}

static struct operation *find(const struct block *block, LLVMValueRef value) {
  const struct operation wanted = {.instruction = value};
  return bsearch(&wanted, block->operations, block->movable, sizeof wanted, by_address);
}

// With its own place in the source: the builder would give it that of what it is put in front of.
static void put_before(const struct block *block, LLVMValueRef instruction, LLVMValueRef user) {
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
  LLVMPositionBuilderBefore(block->builder, user);
  LLVMInsertIntoBuilder(block->builder, instruction);
  LLVMInstructionSetDebugLoc(instruction, place);
}

// Puts what the instruction needs in front of it, and before that what these need.
static void put_operands(const struct block *block, LLVMValueRef user) {
  size_t depth = 0;
  block->visits[depth++] = (struct visit){user, 0};
  while (depth > 0) {
    struct visit *visit = &block->visits[depth - 1];
    if (visit->next < LLVMGetNumOperands(visit->instruction)) {
      struct operation *operand = find(block, LLVMGetOperand(visit->instruction, (unsigned)visit->next++));
      if (operand && operand->waits) {
        operand->waits = false;
        block->visits[depth++] = (struct visit){operand->instruction, 0};
      }
    } else {
      if (visit->instruction != user)
        put_before(block, visit->instruction, user);
      depth--;
    }
  }
}

static void order(struct block *block, LLVMBasicBlockRef of) {
  block->count = block->movable = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(of); at; at = LLVMGetNextInstruction(at)) {
    block->in_order[block->count++] = at;
    if (may_move(at))
      block->operations[block->movable++] = (struct operation){at, true};
  }
  qsort(block->operations, block->movable, sizeof *block->operations, by_address);
  for (size_t i = 0; i < block->movable; i++)
    LLVMInstructionRemoveFromParent(block->operations[i].instruction);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(of);
  for (size_t i = 0; i < block->count; i++)
    if (!find(block, block->in_order[i]) && !LLVMIsAPHINode(block->in_order[i]))
      put_operands(block, block->in_order[i]);
  // What only other blocks need.
  for (size_t i = 0; i < block->count; i++) {
    struct operation *operation = find(block, block->in_order[i]);
    if (operation && operation->waits) {
      operation->waits = false;
      put_operands(block, operation->instruction);
      put_before(block, operation->instruction, end);
    }
  }
}

// Memory for the largest block. False: there is none.
static bool reserve(struct block *block, LLVMValueRef function) {
  size_t most = 0;
  for (LLVMBasicBlockRef of = LLVMGetFirstBasicBlock(function); of; of = LLVMGetNextBasicBlock(of)) {
    size_t count = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(of); at; at = LLVMGetNextInstruction(at))
      count++;
    most = count > most ? count : most;
  }
  block->in_order = calloc(most + 1, sizeof *block->in_order);
  block->operations = calloc(most + 1, sizeof *block->operations);
  block->visits = calloc(most + 1, sizeof *block->visits);
  return block->in_order && block->operations && block->visits;
}

static enum status failed(const char *reason) {
  fprintf(stderr, "heddlec: order of elements: %s\n", reason);
  return STATUS_FAILED;
}

// Single elements instead of vectors, where they are not loaded, stored or passed on.
static enum status take_apart(LLVMValueRef function, LLVMTargetMachineRef machine) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPassesOnFunction(function, "scalarizer", machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return STATUS_OK;
  char *message = LLVMGetErrorMessage(error);
  const enum status status = failed(message);
  LLVMDisposeErrorMessage(message);
  return status;
}

// Scalars do not show any more which blocks had vectors: these are found before.
static enum status order_function(LLVMValueRef function, LLVMTargetMachineRef machine, LLVMBuilderRef builder) {
  const unsigned count = LLVMCountBasicBlocks(function);
  LLVMBasicBlockRef *blocks = calloc(count + 1, sizeof *blocks);
  if (!blocks)
    return failed("out of memory");
  unsigned wanted = 0;
  for (LLVMBasicBlockRef of = LLVMGetFirstBasicBlock(function); of; of = LLVMGetNextBasicBlock(of))
    if (elements_of(of) >= ELEMENTS_LEAST)
      blocks[wanted++] = of;
  enum status status = wanted > 0 ? take_apart(function, machine) : STATUS_OK;
  if (wanted > 0 && status == STATUS_OK) {
    struct block block = {.builder = builder};
    if (!reserve(&block, function))
      status = failed("out of memory");
    for (unsigned i = 0; i < wanted && status == STATUS_OK; i++)
      order(&block, blocks[i]);
    free(block.in_order);
    free(block.operations);
    free(block.visits);
  }
  free(blocks);
  return status;
}

enum status element_order_make(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  enum status status = STATUS_OK;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && status == STATUS_OK; f = LLVMGetNextFunction(f))
    status = order_function(f, machine, builder);
  LLVMDisposeBuilder(builder);
  return status;
}
