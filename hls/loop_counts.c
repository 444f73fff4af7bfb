// SPDX-License-Identifier: Apache-2.0
// A loop of one block that ends when one counter reaches a limit: other counters that begin where it begins, and step
// as it does, have reached the limit, too; and a pointer that walks with it has reached an end that is known before, so
// that the loop can ask for that.
#include "hls/loop_counts.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stddef.h>

#include "hls/ir.h"

// A value that a block adds a constant to each time it goes round.
struct counter {
  LLVMValueRef first, step, next;
};

static bool is_counter(LLVMValueRef next, LLVMBasicBlockRef block, struct counter *counter) {
  if (!LLVMIsAInstruction(next) || LLVMGetInstructionParent(next) != block ||
      LLVMGetInstructionOpcode(next) != LLVMAdd || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
    return false;
  LLVMValueRef phi = LLVMGetOperand(next, 0);
  if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != block || LLVMCountIncoming(phi) != 2)
    return false;
  const unsigned back = LLVMGetIncomingBlock(phi, 0) == block ? 0 : 1;
  if (LLVMGetIncomingBlock(phi, back) != block || LLVMGetIncomingValue(phi, back) != next)
    return false;
  *counter = (struct counter){LLVMGetIncomingValue(phi, 1 - back), LLVMGetOperand(next, 1), next};
  return true;
}

static bool is_outside(LLVMValueRef value, LLVMBasicBlockRef block) {
  return LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) != block : !!LLVMIsAArgument(value);
}

// The limit of a counter, at which the block goes on to another one; NULL: there is none.
static LLVMValueRef limit_of(LLVMBasicBlockRef block, struct counter *counter) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (!end || LLVMGetNumSuccessors(end) != 2 || !LLVMIsABranchInst(end))
    return NULL;
  const bool goes_on = LLVMGetSuccessor(end, 0) == block;
  LLVMValueRef condition = LLVMGetCondition(end);
  if (goes_on == (LLVMGetSuccessor(end, 1) == block) || !LLVMIsAICmpInst(condition) ||
      LLVMGetICmpPredicate(condition) != (goes_on ? LLVMIntNE : LLVMIntEQ))
    return NULL;
  LLVMValueRef limit = LLVMGetOperand(condition, 1);
  return (LLVMIsAConstantInt(limit) || is_outside(limit, block)) &&
                 is_counter(LLVMGetOperand(condition, 0), block, counter)
             ? limit
             : NULL;
}

static void replace_behind(LLVMBasicBlockRef block, LLVMValueRef value, LLVMValueRef by) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  while (use) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetInstructionParent(user) == block) {
      use = LLVMGetNextUse(use);
      continue;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, i) == value)
        LLVMSetOperand(user, i, by);
    use = LLVMGetFirstUse(value);  // the list is another one now
  }
}

// Whether memory is accessed there in each round: then all rounds' addresses differ.
static bool is_accessed(LLVMValueRef address, LLVMBasicBlockRef block) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool is_load = LLVMIsALoadInst(user), is_store = LLVMIsAStoreInst(user);
    if ((is_load || (is_store && LLVMGetOperand(user, 1) == address)) && LLVMGetInstructionParent(user) == block)
      return true;
  }
  return false;
}

// The block before the loop; NULL: there are several.
static LLVMBasicBlockRef before(LLVMBasicBlockRef block, LLVMValueRef phi) {
  const unsigned in = LLVMGetIncomingBlock(phi, 0) == block ? 1 : 0;
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, in);
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(from)) == 1 ? from : NULL;
}

// The loop ends when the pointer does that has the counter for an index. Only upwards: its order tells the end. False:
// there is no such pointer.
static bool ask_pointer(LLVMBuilderRef builder, LLVMBasicBlockRef block, const struct counter *counter,
                        LLVMValueRef limit) {
  LLVMValueRef phi = LLVMGetOperand(counter->next, 0);
  LLVMBasicBlockRef front = LLVMConstIntGetSExtValue(counter->step) > 0 ? before(block, phi) : NULL;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); front && at; at = LLVMGetNextInstruction(at)) {
    if (!LLVMIsAGetElementPtrInst(at) || LLVMGetNumIndices(at) != 1 || LLVMGetOperand(at, 1) != phi ||
        !is_outside(LLVMGetOperand(at, 0), block) || !is_accessed(at, block))
      continue;
    LLVMTypeRef element = LLVMGetGEPSourceElementType(at);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(front));
    LLVMValueRef last = LLVMBuildGEP2(builder, element, LLVMGetOperand(at, 0), &limit, 1, "");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), condition = LLVMGetCondition(end), step = counter->step;
    LLVMPositionBuilderBefore(builder, end);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
    LLVMValueRef next = LLVMBuildGEP2(builder, element, at, &step, 1, "");
    // By order: of an equation code generation makes a count to zero.
    const LLVMIntPredicate order = LLVMGetICmpPredicate(condition) == LLVMIntNE ? LLVMIntULT : LLVMIntUGE;
    LLVMSetCondition(end, LLVMBuildICmp(builder, order, next, last, ""));
    if (!LLVMGetFirstUse(condition))
      LLVMInstructionEraseFromParent(condition);
    return true;
  }
  return false;
}

// Whether it is a counter that is in each round what the other is.
static bool is_equal(LLVMValueRef next, LLVMBasicBlockRef block, const struct counter *other, struct counter *counter) {
  return is_counter(next, block, counter) && counter->first == other->first && counter->step == other->step;
}

static void tell_of(void *context, LLVMBasicBlockRef block) {
  LLVMBuilderRef builder = context;
  struct counter counter, other;
  bool is_asked = false;
  LLVMValueRef limit = limit_of(block, &counter);
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); limit && at; at = LLVMGetNextInstruction(at))
    if (is_equal(at, block, &counter, &other))
      replace_behind(block, at, limit);
  // The source's counter is the index. Of several one is enough.
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); limit && at && !is_asked; at = LLVMGetNextInstruction(at))
    is_asked = is_equal(at, block, &counter, &other) && ask_pointer(builder, block, &other, limit);
}

void loop_counts_tell(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_each_block(module, tell_of, builder);
  LLVMDisposeBuilder(builder);
}
