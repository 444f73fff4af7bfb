// SPDX-License-Identifier: Apache-2.0
// See inner_totals.h. All that is made of the sum are sums with other values, and choices among these; so what it is in
// the end is what it was in the beginning, and what would come of 0.
#include "hls/pipeline/inner_totals.h"

#include "hls/flow_graph.h"
#include "hls/ir.h"

enum { MOST_MADE = 64, MOST_TAKERS = 16 };

struct sum {
  const struct flow_graph *graph;
  LLVMBasicBlockRef header, latch;
  LLVMValueRef phi, next;
  LLVMValueRef made[MOST_MADE];  // of the sum in a round: phi is the first
  unsigned count;
};

static bool is_made(const struct sum *s, LLVMValueRef value) {
  for (unsigned i = 0; i < s->count; i++)
    if (s->made[i] == value)
      return true;
  return false;
}

static bool is_in_loop(const struct sum *s, LLVMValueRef value) {
  return flow_graph_is_in_loop(s->graph, LLVMGetInstructionParent(value), s->header);
}

static bool is_sum_or_choice(LLVMValueRef value) {
  return ir_is_operation(value, LLVMAdd) || ir_is_operation(value, LLVMSub) || ir_is_operation(value, LLVMSelect) ||
         ir_is_operation(value, LLVMPHI);
}

// Whether the loop is left at its latch alone, so that what the latch makes is there behind it.
static bool is_left_at_latch(const struct sum *s) {
  for (size_t i = 0; i < s->graph->count; i++) {
    LLVMBasicBlockRef block = s->graph->nodes[i].block;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    if (block == s->latch || !flow_graph_is_in_loop(s->graph, block, s->header))
      continue;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++)
      if (!flow_graph_is_in_loop(s->graph, LLVMGetSuccessor(last, k), s->header))
        return false;
  }
  return true;
}

// Adds all that is made of the sum. False: something else is.
static bool find_made(struct sum *s) {
  s->made[s->count++] = s->phi;
  for (unsigned i = 0; i < s->count; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(s->made[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (is_made(s, user))
        continue;
      if (!is_in_loop(s, user)) {
        if (s->made[i] != s->next)
          return false;
        continue;
      }
      if (!is_sum_or_choice(user) || s->count == MOST_MADE)
        return false;
      s->made[s->count++] = user;
    }
  return true;
}

static bool are_all_made(const struct sum *s, LLVMValueRef phi) {
  bool are = true;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    are = are && is_made(s, LLVMGetIncomingValue(phi, i));
  return are;
}

// Whether what is made has the sum once.
static bool has_once(const struct sum *s, LLVMValueRef value) {
  if (LLVMIsAPHINode(value))
    return are_all_made(s, value);
  const bool first = is_made(s, LLVMGetOperand(value, 0)), second = is_made(s, LLVMGetOperand(value, 1));
  if (LLVMIsASelectInst(value))
    return !first && second && is_made(s, LLVMGetOperand(value, 2));
  return first != second && (first || ir_is_operation(value, LLVMAdd));
}

// Whether a loop in the loop goes on with it.
static bool is_in_inner_loop(const struct sum *s, LLVMValueRef value) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  return LLVMIsAPHINode(value) && block != s->header && flow_graph_is_header(s->graph, block);
}

static bool find(const struct flow_graph *graph, LLVMBasicBlockRef header, LLVMValueRef phi, struct sum *s) {
  if (LLVMCountIncoming(phi) != 2 || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
    return false;
  const unsigned back = flow_graph_is_in_loop(graph, LLVMGetIncomingBlock(phi, 0), header) ? 0 : 1;
  *s = (struct sum){.graph = graph,
                    .header = header,
                    .latch = LLVMGetIncomingBlock(phi, back),
                    .phi = phi,
                    .next = LLVMGetIncomingValue(phi, back)};
  if (s->next == phi || !find_made(s) || !is_made(s, s->next) || !is_left_at_latch(s))
    return false;
  bool is = true, has_inner = false;
  for (unsigned i = 1; i < s->count && is; i++) {
    is = has_once(s, s->made[i]);
    has_inner |= is_in_inner_loop(s, s->made[i]);
  }
  return is && has_inner;
}

// Where the total is taken, to which the round's sum is to be added: by the next round, and behind the loop.
static unsigned find_takers(const struct sum *s, LLVMValueRef takers[MOST_TAKERS]) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(s->next); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user != s->phi && is_in_loop(s, user))
      continue;
    if (count == MOST_TAKERS)
      return 0;
    takers[count++] = user;
  }
  return count;
}

static void set_operand(LLVMValueRef user, LLVMValueRef from, LLVMValueRef to) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
    if (LLVMGetOperand(user, i) == from)
      LLVMSetOperand(user, i, to);
}

static bool change(LLVMBuilderRef builder, const struct sum *s) {
  LLVMValueRef takers[MOST_TAKERS], zero = LLVMConstNull(LLVMTypeOf(s->phi));
  const unsigned count = find_takers(s, takers);
  if (count == 0)
    return false;
  for (unsigned i = 1; i < s->count; i++) {
    set_operand(s->made[i], s->phi, zero);
    // Without what was there before, a difference may be below 0.
    if (ir_is_operation(s->made[i], LLVMAdd) || ir_is_operation(s->made[i], LLVMSub)) {
      LLVMSetNSW(s->made[i], false);
      LLVMSetNUW(s->made[i], false);
    }
  }
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(s->latch));
  LLVMValueRef total = LLVMBuildAdd(builder, s->phi, s->next, "");
  for (unsigned i = 0; i < count; i++)
    set_operand(takers[i], s->next, total);
  return true;
}

bool inner_totals_make(LLVMValueRef kernel) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));
  struct flow_graph graph = flow_graph_open(kernel);
  bool any = false;
  for (size_t i = 0; i < graph.count; i++) {
    LLVMBasicBlockRef header = graph.nodes[i].block;
    if (!flow_graph_is_header(&graph, header))
      continue;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
      struct sum sum;
      if (find(&graph, header, phi, &sum))
        any |= change(builder, &sum);
    }
  }
  flow_graph_close(&graph);
  LLVMDisposeBuilder(builder);
  return any;
}
