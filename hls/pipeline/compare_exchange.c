// SPDX-License-Identifier: Apache-2.0
//   do { old = lr(p); } while (sc(p, old == expected ? value : old) failed && old == expected);
// Where another value than the expected one is found, it is stored again: a reservation that nobody uses would keep
// those of others away. Whether that succeeds does not matter. The two instructions are told from others by scopes of
// synchronisation, which no pass drops.
#include "hls/pipeline/compare_exchange.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/blocks.h"

static const char reserve[] = "heddle-reserve", conditional[] = "heddle-conditional";

static unsigned scope_of(LLVMValueRef instruction, const char *name) {
  LLVMContextRef context =
      LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction))));
  return LLVMGetSyncScopeID(context, name, strlen(name));
}

static bool has_scope(LLVMValueRef instruction, const char *name) {
  return LLVMIsAtomic(instruction) && LLVMGetAtomicSyncScopeID(instruction) == scope_of(instruction, name);
}

bool compare_exchange_is_reserve(LLVMValueRef load) {
  return has_scope(load, reserve);
}

bool compare_exchange_is_conditional(LLVMValueRef exchange) {
  return has_scope(exchange, conditional);
}

// The fields of { old, whether it was the expected value } go where they are taken out.
static void replace(LLVMBuilderRef builder, LLVMValueRef pair, LLVMValueRef old, LLVMValueRef is_equal) {
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(pair); use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAExtractValueInst(user))
      continue;
    LLVMReplaceAllUsesWith(user, LLVMGetIndices(user)[0] == 0 ? old : is_equal);
    LLVMInstructionEraseFromParent(user);
  }
  if (LLVMGetFirstUse(pair)) {  // as a whole
    LLVMValueRef whole = LLVMBuildInsertValue(builder, LLVMGetPoison(LLVMTypeOf(pair)), old, 0, "");
    LLVMReplaceAllUsesWith(pair, LLVMBuildInsertValue(builder, whole, is_equal, 1, ""));
  }
}

static void expand(LLVMBuilderRef builder, LLVMValueRef exchange) {
  LLVMContextRef context = LLVMGetBuilderContext(builder);
  LLVMValueRef pointer = LLVMGetOperand(exchange, 0), expected = LLVMGetOperand(exchange, 1),
               value = LLVMGetOperand(exchange, 2);
  blocks_cut(builder, exchange);
  LLVMBasicBlockRef after = LLVMGetInstructionParent(exchange);
  LLVMBasicBlockRef loop = LLVMInsertBasicBlockInContext(context, after, "exchange");
  LLVMBuildBr(builder, loop);

  LLVMPositionBuilderAtEnd(builder, loop);
  LLVMValueRef old = LLVMBuildLoad2(builder, LLVMTypeOf(value), pointer, "");
  LLVMSetAlignment(old, 4);
  LLVMSetVolatile(old, 1);
  LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
  LLVMSetAtomicSyncScopeID(old, scope_of(old, reserve));
  LLVMValueRef is_equal = LLVMBuildICmp(builder, LLVMIntEQ, old, expected, "");
  LLVMValueRef left = LLVMBuildSelect(builder, is_equal, value, old, "");
  LLVMValueRef failed =
      LLVMBuildAtomicRMW(builder, LLVMAtomicRMWBinOpXchg, pointer, left, LLVMAtomicOrderingMonotonic, 0);
  LLVMSetVolatile(failed, 1);
  LLVMSetAtomicSyncScopeID(failed, scope_of(failed, conditional));
  LLVMValueRef has_failed = LLVMBuildICmp(builder, LLVMIntNE, failed, LLVMConstNull(LLVMTypeOf(failed)), "");
  LLVMBuildCondBr(builder, LLVMBuildAnd(builder, is_equal, has_failed, ""), loop, after);

  LLVMPositionBuilderBefore(builder, exchange);
  replace(builder, exchange, old, is_equal);
  LLVMInstructionEraseFromParent(exchange);
}

static LLVMValueRef first_in(LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
    LLVMTypeRef type = LLVMIsAAtomicCmpXchgInst(at) ? LLVMTypeOf(LLVMGetOperand(at, 1)) : NULL;
    if (type && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32)
      return at;
  }
  return NULL;
}

static void expand_in(void *context, LLVMBasicBlockRef block) {
  // What is behind one stays in this block.
  for (LLVMValueRef at = first_in(block); at; at = first_in(block))
    expand(context, at);
}

void compare_exchange_expand(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  ir_each_block(module, expand_in, builder);
  LLVMDisposeBuilder(builder);
}
