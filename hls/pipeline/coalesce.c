// SPDX-License-Identifier: Apache-2.0
// A new header stands in front of the headers of all loops of a nest, and their latches lead back to it. It goes on at
// the header of the loop that goes around: a round is one of the innermost loop, with what comes in front of that loop
// if it is a first one, and with what comes behind if it is a last one. Values that cross rounds are in allocas first,
// as blocks no longer dominate those that they did; what can be computed anew in each round is.
#include "hls/pipeline/coalesce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/call_graph.h"
#include "hls/ir.h"
#include "hls/pipeline/ivdep.h"
#include "hls/pipeline/loop_size.h"
#include "hls/pipeline/nests.h"

#define HEADER_NAME "nest."

enum { MOST_ROUNDS = 1 << 16 };  // as rates.c counts them

// The loops of a nest, the outermost first.
struct nest {
  LLVMValueRef function;
  const struct flow *flow;
  const struct nested_loop *loops[COALESCE_MOST];
  unsigned depth;
  LLVMBuilderRef builder;
  LLVMBasicBlockRef header;                    // the new one
  LLVMBasicBlockRef edges[COALESCE_MOST];      // from each latch to the new one
  LLVMBasicBlockRef entrances[COALESCE_MOST];  // the block in front of each header
};

// ---- the names of headers

static bool has_header_name(LLVMBasicBlockRef block) {
  return strncmp(LLVMGetBasicBlockName(block), HEADER_NAME, strlen(HEADER_NAME)) == 0;
}

struct coalesced coalesce_loops_in(LLVMBasicBlockRef header) {
  struct coalesced of;
  unsigned long long rounds;
  if (!has_header_name(header) ||
      sscanf(LLVMGetBasicBlockName(header), HEADER_NAME "%u.%u.%llu", &of.loops, &of.unknown, &rounds) != 3)
    return (struct coalesced){1, 1, 1};
  of.rounds = rounds;
  return of;
}

// Headers of innermost loops, by the numbers of their nests.
#define ROUND_NAME "round."

static bool is_round(LLVMBasicBlockRef block) {
  return strncmp(LLVMGetBasicBlockName(block), ROUND_NAME, strlen(ROUND_NAME)) == 0;
}

static unsigned number_of_round(LLVMBasicBlockRef block) {
  return (unsigned)strtoul(LLVMGetBasicBlockName(block) + strlen(ROUND_NAME), NULL, 10);
}

// Modules that come as SPIR-V name their blocks as they like.
static void forget_names(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    if (has_header_name(block) || is_round(block))
      LLVMSetValueName2(LLVMBasicBlockAsValue(block), "", 0);
}

coalesce_plan coalesce_nests(LLVMValueRef function) {
  struct loops loops;
  const struct nested_loop *nest[COALESCE_MOST];
  coalesce_plan plan = 0;
  unsigned count = 0;
  forget_names(function);
  const bool is_known = nests_find(function, &loops);
  for (size_t i = 0; i < loops.count && is_known; i++) {
    const unsigned depth = loops.items[i].children == 0 ? nests_around(&loops.items[i], COALESCE_MOST, nest) : 0;
    if (depth <= 1)
      continue;
    char name[32];
    snprintf(name, sizeof name, ROUND_NAME "%u.", count);
    LLVMSetValueName2(LLVMBasicBlockAsValue(loops.flow.blocks[loops.items[i].loop.header]), name, strlen(name));
    const unsigned number = count < COALESCE_MOST_NESTS ? count : COALESCE_MOST_NESTS - 1;
    if (depth > coalesce_loops_of(plan, number))
      plan = coalesce_with(plan, number, depth);
    count++;
  }
  nests_free(&loops);
  return plan;
}

// ---- blocks

static LLVMContextRef context_of(const struct nest *nest) {
  return LLVMGetTypeContext(LLVMTypeOf(nest->function));
}

static LLVMBasicBlockRef header_of(const struct nest *nest, unsigned k) {
  return nest->flow->blocks[nest->loops[k]->loop.header];
}

static LLVMBasicBlockRef latch_of(const struct nest *nest, unsigned k) {
  return nest->flow->blocks[nest->loops[k]->loop.latch];
}

// In one of a loop's own blocks, not in the new ones.
static bool is_in_loop(const struct nest *nest, unsigned k, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return false;
  const size_t number = flow_number(nest->flow, LLVMGetInstructionParent(value));
  return number != FLOW_NONE && nest->loops[k]->in[number];
}

static bool is_in_nest(const struct nest *nest, LLVMValueRef value) {
  return is_in_loop(nest, 0, value);
}

static bool is_outside(const struct nest *nest, LLVMValueRef value) {
  return !is_in_nest(nest, value) && !(LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == nest->header);
}

// Calls visit for each instruction of the nest. A visitor may move it, and put others before and behind it: these are
// not visited.
static void each_instruction(const struct nest *nest, void (*visit)(const struct nest *nest, LLVMValueRef at)) {
  for (size_t b = 0; b < nest->flow->count; b++) {
    LLVMValueRef next;
    for (LLVMValueRef at = nest->loops[0]->in[b] ? LLVMGetFirstInstruction(nest->flow->blocks[b]) : NULL; at;
         at = next) {
      next = LLVMGetNextInstruction(at);
      visit(nest, at);
    }
  }
}

// The one block outside a loop that leads to its header, and leads nowhere else; NULL: there is none.
static LLVMBasicBlockRef entrance_of(const struct nest *nest, unsigned k) {
  LLVMBasicBlockRef found = NULL;
  const LLVMBasicBlockRef header = header_of(nest, k), latch = latch_of(nest, k);
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(header)); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsATerminatorInst(user) || LLVMGetInstructionParent(user) == latch)
      continue;
    if (found || LLVMGetNumSuccessors(user) != 1)
      return NULL;
    found = LLVMGetInstructionParent(user);
  }
  return found;
}

static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef old, LLVMBasicBlockRef new) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
    if (LLVMGetSuccessor(end, s) == old)
      LLVMSetSuccessor(end, s, new);
}

// ---- values in memory

static LLVMValueRef new_slot(const struct nest *nest, LLVMTypeRef type) {
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(nest->function));
  LLVMPositionBuilderBefore(nest->builder, first);
  return LLVMBuildAlloca(nest->builder, type, "");
}

static void store_at_end(const struct nest *nest, LLVMValueRef value, LLVMValueRef slot, LLVMBasicBlockRef block) {
  LLVMPositionBuilderBefore(nest->builder, LLVMGetBasicBlockTerminator(block));
  LLVMBuildStore(nest->builder, value, slot);
}

static LLVMValueRef load_before(const struct nest *nest, LLVMTypeRef type, LLVMValueRef slot, LLVMValueRef at) {
  LLVMPositionBuilderBefore(nest->builder, at);
  return LLVMBuildLoad2(nest->builder, type, slot, "");
}

static LLVMValueRef behind_phis(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(at))
    at = LLVMGetNextInstruction(at);
  return at;
}

// What a header's phi gets from a block.
static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == block)
      return LLVMGetIncomingValue(phi, i);
  abort();  // a phi has a value for each block that leads to its own
}

// What a loop begins with is stored wherever one around it goes around: then the new header reads the value in every
// round, and nothing has to choose between a first round and others.
static LLVMValueRef slot_in_header(const struct nest *nest, unsigned k, LLVMValueRef first) {
  LLVMValueRef slot = new_slot(nest, LLVMTypeOf(first));
  store_at_end(nest, first, slot, nest->entrances[0]);
  for (unsigned around = 0; around < k; around++)
    store_at_end(nest, first, slot, nest->edges[around]);
  return slot;
}

// A counter's next value is kept, too, so that a round begins with what says whether it is the loop's last one. Returns
// it.
static LLVMValueRef count_ahead(const struct nest *nest, unsigned k, LLVMValueRef phi, LLVMValueRef next) {
  LLVMValueRef step = loop_step(phi, next);
  LLVMPositionBuilderBefore(nest->builder, LLVMGetBasicBlockTerminator(nest->entrances[0]));
  LLVMValueRef second = LLVMBuildAdd(nest->builder, incoming_from(phi, nest->entrances[k]), step, "");
  LLVMValueRef slot = slot_in_header(nest, k, second),
               ahead = load_before(nest, LLVMTypeOf(phi), slot, behind_phis(nest->header));
  LLVMPositionBuilderBefore(nest->builder, LLVMGetBasicBlockTerminator(nest->header));
  store_at_end(nest, LLVMBuildAdd(nest->builder, ahead, step, ""), slot, nest->edges[k]);
  LLVMReplaceAllUsesWith(next, ahead);
  LLVMInstructionEraseFromParent(next);
  return ahead;
}

// Whether an instruction may be computed where it was not, because it does nothing else.
static bool is_speculatable(LLVMValueRef at) {
  static const char name[] = "speculatable";
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMCall:
      return LLVMIsAFunction(LLVMGetCalledValue(at)) &&
             LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(at), (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMFreeze:
    case LLVMFNeg:
      return true;
    default:
      return LLVMIsABinaryOperator(at) || LLVMIsACastInst(at);
  }
}

// Whether a value is used, but for a loop's phi, only in front of that loop: not by what each round computes anew.
static bool is_used_before(const struct nest *nest, unsigned k, LLVMValueRef value, LLVMValueRef phi) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user == phi)
      continue;
    if (is_speculatable(user))
      return false;
    const unsigned count = LLVMIsAPHINode(user) ? LLVMCountIncoming(user) : 1;
    for (unsigned i = 0; i < count; i++) {
      if (LLVMIsAPHINode(user) && LLVMGetIncomingValue(user, i) != value)
        continue;
      const size_t number = flow_number(
          nest->flow, LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, i) : LLVMGetInstructionParent(user));
      if (number == FLOW_NONE || number >= nest->loops[k]->loop.header)
        return false;
    }
  }
  return true;
}

// What a loop goes on with from the loop around it, such as a sum over all rounds of both, is one value: in the slot of
// the outer phi. NULL: they are two.
static LLVMValueRef shared_slot(const struct nest *nest, unsigned k, LLVMValueRef phi, LLVMValueRef first) {
  const bool is_shared = k > 0 && LLVMIsALoadInst(first) && LLVMGetInstructionParent(first) == nest->header &&
                         LLVMGetIncomingValue(phi, 0) != LLVMGetIncomingValue(phi, 1) &&
                         is_used_before(nest, k, first, phi);
  return is_shared ? LLVMGetOperand(first, 0) : NULL;
}

// A phi of a header becomes a slot.
static void demote_phi(const struct nest *nest, unsigned k, LLVMValueRef phi) {
  LLVMValueRef first = incoming_from(phi, nest->entrances[k]), next = incoming_from(phi, latch_of(nest, k)),
               shared = shared_slot(nest, k, phi, first), now = first;
  if (shared) {
    store_at_end(nest, next, shared, nest->edges[k]);
  } else {
    LLVMTypeRef type = LLVMTypeOf(phi);
    const bool is_known = k == 0 || is_outside(nest, first);
    if (is_known && loop_step(phi, next))
      next = count_ahead(nest, k, phi, next);
    LLVMValueRef slot = slot_in_header(nest, is_known ? k : 0, is_known ? first : LLVMConstNull(type));
    if (!is_known)
      store_at_end(nest, first, slot, nest->entrances[k]);
    store_at_end(nest, next, slot, nest->edges[k]);
    now = load_before(nest, type, slot, behind_phis(is_known ? nest->header : header_of(nest, k)));
  }
  LLVMReplaceAllUsesWith(phi, now);
  LLVMInstructionEraseFromParent(phi);
}

// Operands of a user that are the value.
static void set_operands(LLVMValueRef user, LLVMValueRef value, LLVMValueRef now) {
  for (int i = 0; i < LLVMGetNumOperands(user); i++)
    if (LLVMGetOperand(user, (unsigned)i) == value)
      LLVMSetOperand(user, (unsigned)i, now);
}

// Whether a phi has a value from another block than the value's own.
static bool is_far_from(LLVMValueRef phi, LLVMValueRef value) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingValue(phi, i) == value && LLVMGetIncomingBlock(phi, i) != LLVMGetInstructionParent(value))
      return true;
  return false;
}

static void load_for_phi(const struct nest *nest, LLVMValueRef phi, LLVMValueRef value, LLVMValueRef slot) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingValue(phi, i) == value) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
      LLVMSetOperand(phi, i, load_before(nest, LLVMTypeOf(value), slot, end));
    }
}

// A value that other blocks use is stored where it is made and loaded where it is used.
static void demote_value(const struct nest *nest, LLVMValueRef value) {
  struct reach users = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) ? is_far_from(user, value)
                             : LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value))
      reach_add(&users, user);
  }
  if (users.count == 0)
    return;
  LLVMValueRef slot = new_slot(nest, LLVMTypeOf(value));
  for (size_t i = 0; i < users.count; i++)
    if (LLVMIsAPHINode(users.values[i]))
      load_for_phi(nest, users.values[i], value, slot);
    else
      set_operands(users.values[i], value, load_before(nest, LLVMTypeOf(value), slot, users.values[i]));
  reach_free(&users);
  LLVMValueRef behind =
      LLVMIsAPHINode(value) ? behind_phis(LLVMGetInstructionParent(value)) : LLVMGetNextInstruction(value);
  LLVMPositionBuilderBefore(nest->builder, behind);
  LLVMBuildStore(nest->builder, value, slot);
  store_at_end(nest, LLVMConstNull(LLVMTypeOf(value)), slot, nest->entrances[0]);
}

// ---- what each round computes

// What is made of values that the new header knows is computed there, so that it need not be kept from round to round.
static void compute_early(const struct nest *nest, LLVMValueRef at) {
  bool is_early = is_speculatable(at);
  for (int i = 0; i < LLVMGetNumOperands(at) && is_early; i++)
    is_early = !is_in_nest(nest, LLVMGetOperand(at, (unsigned)i));
  if (!is_early)
    return;
  LLVMInstructionRemoveFromParent(at);
  LLVMPositionBuilderBefore(nest->builder, LLVMGetBasicBlockTerminator(nest->header));
  LLVMInsertIntoBuilder(nest->builder, at);
}

// ---- accesses of loops around the innermost one

static const char SELDOM[] = "heddle.seldom";

bool coalesce_is_seldom(LLVMValueRef access) {
  return ir_is_marked(access, SELDOM);
}

static void mark_seldom(const struct nest *nest, LLVMValueRef at) {
  if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && !is_in_loop(nest, nest->depth - 1, at))
    ir_mark(at, SELDOM);
}

// What is said of rounds of one loop is not said of those of all.
static void unmark_ivdep(const struct nest *nest, LLVMValueRef at) {
  (void)nest;
  ivdep_unmark(at);
}

// ---- a nest

static void build_header(struct nest *nest) {
  LLVMContextRef context = context_of(nest);
  LLVMTypeRef number = LLVMIntTypeInContext(context, nest->depth > 2 ? 2 : 1);
  char name[64];
  uint64_t rounds = 1;
  unsigned unknown = 0;
  for (unsigned k = 0; k < nest->depth; k++) {
    const uint64_t known = loop_measure(nest->flow, &nest->loops[k]->loop).rounds;
    const bool is_known = known != 0 && known < MOST_ROUNDS;
    unknown += !is_known;
    rounds *= is_known ? known : 1;
  }
  snprintf(name, sizeof name, HEADER_NAME "%u.%u.%llu.", nest->depth, unknown, (unsigned long long)rounds);
  nest->header = LLVMInsertBasicBlockInContext(context, header_of(nest, 0), name);
  LLVMBasicBlockRef back = LLVMAppendBasicBlockInContext(context, nest->function, "");
  LLVMValueRef goes_around = new_slot(nest, number);
  store_at_end(nest, LLVMConstNull(number), goes_around, nest->entrances[0]);
  LLVMPositionBuilderAtEnd(nest->builder, nest->header);
  LLVMValueRef which = LLVMBuildLoad2(nest->builder, number, goes_around, "");
  LLVMValueRef choice = LLVMBuildSwitch(nest->builder, which, header_of(nest, 0), nest->depth - 1);
  for (unsigned k = 0; k < nest->depth; k++) {
    if (k > 0)
      LLVMAddCase(choice, LLVMConstInt(number, k, 0), header_of(nest, k));
    nest->edges[k] = LLVMAppendBasicBlockInContext(context, nest->function, "");
    LLVMPositionBuilderAtEnd(nest->builder, nest->edges[k]);
    LLVMBuildBr(nest->builder, back);
    store_at_end(nest, LLVMConstInt(number, k, 0), goes_around, nest->edges[k]);
  }
  LLVMPositionBuilderAtEnd(nest->builder, back);
  LLVMBuildBr(nest->builder, nest->header);
}

static bool coalesce(struct nest *nest) {
  for (unsigned k = 0; k < nest->depth; k++) {
    nest->entrances[k] = entrance_of(nest, k);
    if (!nest->entrances[k])
      return false;
  }
  nest->builder = LLVMCreateBuilderInContext(context_of(nest));
  each_instruction(nest, mark_seldom);
  each_instruction(nest, unmark_ivdep);
  build_header(nest);
  for (unsigned k = 0; k < nest->depth; k++)
    while (LLVMIsAPHINode(LLVMGetFirstInstruction(header_of(nest, k))))
      demote_phi(nest, k, LLVMGetFirstInstruction(header_of(nest, k)));
  each_instruction(nest, compute_early);
  each_instruction(nest, demote_value);
  for (unsigned k = 0; k < nest->depth; k++)
    redirect(latch_of(nest, k), header_of(nest, k), nest->edges[k]);
  redirect(nest->entrances[0], header_of(nest, 0), nest->header);
  LLVMDisposeBuilder(nest->builder);
  return true;
}

bool coalesce_loops(LLVMValueRef function, coalesce_plan plan) {
  bool any = false, found = true;
  while (found) {
    struct loops loops;
    found = false;
    const bool is_known = nests_find(function, &loops);
    for (size_t i = 0; i < loops.count && is_known && !found; i++) {
      const struct nested_loop *loop = &loops.items[i];
      LLVMBasicBlockRef header = loops.flow.blocks[loop->loop.header];
      struct nest nest = {.function = function, .flow = &loops.flow};
      if (loop->children != 0 || !is_round(header))
        continue;
      nest.depth = nests_around(loop, coalesce_loops_of(plan, number_of_round(header)), nest.loops);
      found = nest.depth > 1 && coalesce(&nest);
      // Once is enough, whatever has become of it.
      LLVMSetValueName2(LLVMBasicBlockAsValue(header), "", 0);
    }
    any |= found;
    nests_free(&loops);
  }
  return any;
}
