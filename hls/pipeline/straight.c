// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/straight.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"

// ---- which blocks

static bool is_branch(LLVMValueRef end) {
  return LLVMIsABranchInst(end);
}

static unsigned number_of(const struct straight *s, LLVMBasicBlockRef block) {
  unsigned i = 0;
  while (i < s->count && s->blocks[i] != block)
    i++;
  return i;
}

// The number of an instruction's block; s->count: it is in none of these.
static unsigned block_of(const struct straight *s, LLVMValueRef instruction) {
  return number_of(s, LLVMGetInstructionParent(instruction));
}

// Whether all that leads to a block is of these.
static bool is_entered_from_inside(const struct straight *s, LLVMBasicBlockRef block) {
  bool any = false;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef end = LLVMGetUser(use);
    if (!LLVMIsATerminatorInst(end) || block_of(s, end) == s->count)
      return false;
    any = true;
  }
  return any;
}

unsigned straight_dominator(const struct straight *s, unsigned a, unsigned b) {
  while (a != b)
    if (a > b)
      a = s->dominators[a];
    else
      b = s->dominators[b];
  return a;
}

static void add_block(struct straight *s, LLVMBasicBlockRef block) {
  const unsigned number = s->count;
  unsigned dominator = number;
  for (unsigned p = 0; p < number; p++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[p]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      if (LLVMGetSuccessor(end, i) != block)
        continue;
      dominator = dominator == number ? p : straight_dominator(s, dominator, p);
      s->reaches[p][number] = true;
      for (unsigned q = 0; q < p; q++)
        s->reaches[q][number] |= s->reaches[q][p];
    }
  }
  s->dominators[number] = number == 0 ? 0 : dominator;
  s->blocks[s->count++] = block;
}

// The last block that one of those up to `last`, or this one, leads to.
static size_t last_behind(const struct flow *flow, LLVMBasicBlockRef block, size_t last) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
    const size_t number = flow_number(flow, LLVMGetSuccessor(end, i));
    last = number != FLOW_NONE && number > last ? number : last;
  }
  return last;
}

void straight_find(struct straight *s, const struct flow *flow, size_t first) {
  memset(s, 0, sizeof *s);
  if (!is_branch(LLVMGetBasicBlockTerminator(flow->blocks[first])))
    return;
  add_block(s, flow->blocks[first]);
  size_t last = last_behind(flow, flow->blocks[first], first);
  for (size_t i = first + 1; i <= last && s->count < STRAIGHT_MOST_BLOCKS; i++) {
    LLVMBasicBlockRef block = flow->blocks[i];
    if (!is_branch(LLVMGetBasicBlockTerminator(block)) || !is_entered_from_inside(s, block))
      continue;
    add_block(s, block);
    last = last_behind(flow, block, last);
  }
}

// ---- conditions

static bool is_always(LLVMValueRef condition) {
  return LLVMIsAConstantInt(condition) && LLVMConstIntGetZExtValue(condition) == 1;
}

// Not what is nothing in particular unless the first is true.
static LLVMValueRef build_and_then(struct straight *s, LLVMValueRef first, LLVMValueRef second) {
  LLVMValueRef no = LLVMConstInt(LLVMTypeOf(second), 0, 0);
  return is_always(first) ? second : LLVMBuildSelect(s->builder, first, second, no, "");
}

LLVMValueRef straight_or(struct straight *s, LLVMValueRef first, LLVMValueRef second) {
  LLVMValueRef yes = LLVMConstInt(LLVMTypeOf(second), 1, 0);
  return first ? LLVMBuildSelect(s->builder, first, yes, second, "") : second;
}

static bool has_two_ways(LLVMValueRef end) {
  return LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
}

// Whether a block is left by its end's way of that number.
static LLVMValueRef way(struct straight *s, unsigned block, unsigned number) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[block]), reached = straight_condition(s, block);
  if (!has_two_ways(end) || s->ways[block][number])
    return has_two_ways(end) ? s->ways[block][number] : reached;
  LLVMValueRef taken = straight_take(s, LLVMGetCondition(end));
  if (number == 1)
    taken = LLVMBuildNot(s->builder, taken, "");
  return s->ways[block][number] = build_and_then(s, reached, taken);
}

// Whether a block is left to another one, by either of its ways.
static LLVMValueRef way_to(struct straight *s, unsigned block, LLVMBasicBlockRef to) {
  return way(s, block, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(s->blocks[block]), 0) == to ? 0 : 1);
}

// Whether all that leads on from a block leads to another one, of these.
static bool leads_to(const struct straight *s, unsigned from, unsigned to) {
  for (unsigned b = from; b < to; b++) {
    if (b != from && (!s->reaches[from][b] || !s->reaches[b][to])) {
      if (s->reaches[from][b])
        return false;
      continue;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[b]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      const unsigned next = number_of(s, LLVMGetSuccessor(end, i));
      if (next == s->count || next == 0 || (next != to && !s->reaches[next][to]))
        return false;
    }
  }
  return true;
}

void straight_cut(struct straight *s, unsigned last) {
  for (unsigned b = last + 1; b < s->count; b++)
    if (leads_to(s, 0, b)) {
      s->count = b;
      return;
    }
}

LLVMValueRef straight_condition(struct straight *s, unsigned block) {
  if (s->conditions[block])
    return s->conditions[block];
  const unsigned dominator = s->dominators[block];
  LLVMValueRef condition = NULL;
  if (leads_to(s, dominator, block))
    condition = straight_condition(s, dominator);
  else
    for (unsigned p = 0; p < block; p++) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[p]);
      for (unsigned i = 0; i < (has_two_ways(end) ? 2 : 1); i++)
        if (LLVMGetSuccessor(end, i) == s->blocks[block])
          condition = straight_or(s, condition, way(s, p, i));
    }
  return s->conditions[block] = condition;
}

// ---- instructions

static bool is_pure_call(LLVMValueRef call) {
  static const char name[] = "memory";
  LLVMValueRef function = ir_callee(call);
  if (!function)
    return false;
  LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                        LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
  return memory && LLVMGetEnumAttributeValue(memory) == 0 && !ir_has_attribute(function, "convergent") &&
         LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

bool straight_has_effects(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
      return true;
    case LLVMCall:
      return !is_pure_call(instruction);
    default:
      return false;
  }
}

// Whether a value still has to move: what has moved is in other blocks. Phis and variables of the first block stay.
static bool is_to_come(const struct straight *s, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value) || LLVMIsATerminatorInst(value))
    return false;
  const unsigned block = block_of(s, value);
  return block < s->count && (block != 0 || !LLVMIsAPHINode(value));
}

// What a phi has of ways that lead from these blocks to its own. Taken by their conditions.
static LLVMValueRef choose(struct straight *s, LLVMValueRef phi) {
  LLVMBasicBlockRef to = LLVMGetInstructionParent(phi);
  LLVMValueRef chosen = NULL;
  for (unsigned i = LLVMCountIncoming(phi); i-- > 0;) {
    const unsigned from = number_of(s, LLVMGetIncomingBlock(phi, i));
    if (from == s->count)
      continue;
    LLVMValueRef value = straight_take(s, LLVMGetIncomingValue(phi, i));
    chosen = !chosen || chosen == value ? value : LLVMBuildSelect(s->builder, way_to(s, from, to), value, chosen, "");
  }
  return chosen;
}

static void move_to_end(struct straight *s, LLVMValueRef instruction) {
  LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(s->builder);
  LLVMInstructionRemoveFromParent(instruction);
  LLVMSetCurrentDebugLocation2(s->builder, NULL);  // it keeps its own
  LLVMInsertIntoBuilder(s->builder, instruction);
  LLVMSetCurrentDebugLocation2(s->builder, place);
}

static void set_place(struct straight *s, LLVMValueRef instruction) {
  LLVMSetCurrentDebugLocation2(s->builder, LLVMInstructionGetDebugLoc(instruction));
}

LLVMValueRef straight_take(struct straight *s, LLVMValueRef value) {
  if (!is_to_come(s, value))
    return value;
  if (LLVMIsAPHINode(value)) {
    set_place(s, value);
    LLVMValueRef chosen = choose(s, value);
    LLVMReplaceAllUsesWith(value, chosen);
    LLVMInstructionEraseFromParent(value);
    return chosen;
  }
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    straight_take(s, LLVMGetOperand(value, (unsigned)i));
  move_to_end(s, value);
  return value;
}

static LLVMBasicBlockRef append(struct straight *s) {
  return LLVMAppendBasicBlockInContext(LLVMGetBuilderContext(s->builder), LLVMGetBasicBlockParent(s->blocks[0]), "");
}

void straight_take_under(struct straight *s, LLVMValueRef instruction, LLVMValueRef condition) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    straight_take(s, LLVMGetOperand(instruction, (unsigned)i));
  set_place(s, instruction);
  if (is_always(condition)) {
    move_to_end(s, instruction);
    return;
  }
  LLVMBasicBlockRef under = append(s), behind = append(s), before = LLVMGetInsertBlock(s->builder);
  LLVMBuildCondBr(s->builder, condition, under, behind);
  LLVMPositionBuilderAtEnd(s->builder, under);
  move_to_end(s, instruction);
  set_place(s, instruction);
  LLVMBuildBr(s->builder, behind);
  LLVMPositionBuilderAtEnd(s->builder, behind);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind || !LLVMGetFirstUse(instruction))
    return;
  LLVMValueRef phi = LLVMBuildPhi(s->builder, type, ""), nothing = LLVMGetPoison(type);
  LLVMReplaceAllUsesWith(instruction, phi);
  LLVMAddIncoming(phi, &instruction, &under, 1);
  LLVMAddIncoming(phi, &nothing, &before, 1);
}

void straight_begin(struct straight *s) {
  LLVMValueRef function = LLVMGetBasicBlockParent(s->blocks[0]);
  s->builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  s->merged = append(s);
  LLVMPositionBuilderAtEnd(s->builder, s->merged);
  s->conditions[0] = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetBuilderContext(s->builder)), 1, 0);
}

// ---- the end

// A way out.
struct target {
  LLVMBasicBlockRef block, from;
  LLVMValueRef condition, end;  // end: of the first block that leads there
};

static unsigned find_targets(struct straight *s, struct target *targets) {
  unsigned count = 0;
  for (unsigned p = 0; p < s->count; p++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[p]);
    for (unsigned i = 0; i < (has_two_ways(end) ? 2 : 1); i++) {
      LLVMBasicBlockRef block = LLVMGetSuccessor(end, i);
      const unsigned inside = number_of(s, block);
      if (inside < s->count && inside != 0)
        continue;
      unsigned t = 0;
      while (t < count && targets[t].block != block)
        t++;
      if (t == count)
        targets[count++] = (struct target){.block = block, .end = end};
      targets[t].condition = straight_or(s, targets[t].condition, way(s, p, i));
    }
  }
  return count;
}

// The phi without what it had of these blocks, and with its value from the end of the straight-line code; before it.
static LLVMValueRef make_again(const struct straight *s, LLVMValueRef phi, LLVMValueRef chosen,
                               LLVMBasicBlockRef from) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetBuilderContext(s->builder));
  LLVMPositionBuilderBefore(builder, phi);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(phi));
  LLVMValueRef now = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (number_of(s, block) == s->count)
      LLVMAddIncoming(now, &value, &block, 1);
  }
  LLVMAddIncoming(now, &chosen, &from, 1);
  LLVMDisposeBuilder(builder);
  return now;
}

static LLVMValueRef next_phi(LLVMValueRef at) {
  LLVMValueRef next = LLVMGetNextInstruction(at);
  return next && LLVMIsAPHINode(next) ? next : NULL;
}

static LLVMValueRef first_phi(LLVMBasicBlockRef block) {
  LLVMValueRef first = LLVMGetFirstInstruction(block);
  return LLVMIsAPHINode(first) ? first : NULL;
}

static void copy_loop(LLVMValueRef from, LLVMValueRef to) {
  static const char name[] = "llvm.loop";
  const unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(from)), name, sizeof name - 1);
  if (LLVMGetMetadata(from, kind))
    LLVMSetMetadata(to, kind, LLVMGetMetadata(from, kind));
}

// Takes what is left of a block. Nobody wants phis that are left, but who comes behind.
static void take_rest(struct straight *s, LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (!LLVMIsATerminatorInst(at)) {
    if (!is_to_come(s, at)) {
      at = LLVMGetNextInstruction(at);
      continue;
    }
    if (LLVMGetFirstUse(at) || straight_has_effects(at))
      straight_take(s, at);
    else
      LLVMInstructionEraseFromParent(at);
    at = LLVMGetFirstInstruction(block);
  }
}

static void build_ways_out(struct straight *s, struct target *targets, unsigned count) {
  for (unsigned t = 0; t < count; t++) {
    targets[t].from = LLVMGetInsertBlock(s->builder);
    LLVMBasicBlockRef next = t + 1 < count ? append(s) : NULL;
    set_place(s, targets[t].end);
    LLVMValueRef end = next ? LLVMBuildCondBr(s->builder, targets[t].condition, targets[t].block, next)
                            : LLVMBuildBr(s->builder, targets[t].block);
    copy_loop(targets[t].end, end);
    if (next)
      LLVMPositionBuilderAtEnd(s->builder, next);
  }
}

// A phi of another block, and its value from these, which the straight-line code chooses.
struct choice {
  LLVMValueRef phi, chosen, renewed;
  const struct target *target;
};

// The caller frees.
static struct choice *choose_all(struct straight *s, const struct target *targets, unsigned count, size_t *choices) {
  struct choice *all = NULL;
  *choices = 0;
  for (unsigned t = 0; t < count; t++)
    for (LLVMValueRef phi = first_phi(targets[t].block); phi; phi = next_phi(phi)) {
      all = realloc(all, (*choices + 1) * sizeof *all);
      if (!all)
        abort();
      set_place(s, phi);
      all[(*choices)++] = (struct choice){.phi = phi, .chosen = choose(s, phi), .target = &targets[t]};
    }
  return all;
}

// One may be chosen for another, or for itself.
static void renew_all(const struct straight *s, struct choice *choices, size_t count) {
  for (size_t i = 0; i < count; i++)
    choices[i].renewed = make_again(s, choices[i].phi, choices[i].chosen, choices[i].target->from);
  for (size_t i = 0; i < count; i++)
    LLVMReplaceAllUsesWith(choices[i].phi, choices[i].renewed);
  for (size_t i = 0; i < count; i++)
    LLVMInstructionEraseFromParent(choices[i].phi);
}

void straight_end(struct straight *s) {
  struct target targets[2 * STRAIGHT_MOST_BLOCKS];
  for (unsigned b = 0; b < s->count; b++)
    take_rest(s, s->blocks[b]);
  const unsigned count = find_targets(s, targets);
  size_t choice_count;
  struct choice *choices = choose_all(s, targets, count, &choice_count);
  build_ways_out(s, targets, count);
  renew_all(s, choices, choice_count);
  free(choices);
  for (unsigned b = 0; b < s->count; b++)
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(s->blocks[b]));
  for (unsigned b = 1; b < s->count; b++)
    LLVMDeleteBasicBlock(s->blocks[b]);
  LLVMPositionBuilderAtEnd(s->builder, s->blocks[0]);
  LLVMBuildBr(s->builder, s->merged);
  LLVMDisposeBuilder(s->builder);
}
