// SPDX-License-Identifier: Apache-2.0
// Which numbers of 64 bits fit into 32: ids and sizes of the device do, which are widened where they come from, and so
// do results of operations that make nothing larger. A phi fits if all that comes to it does, which is assumed of each
// until something disproves it.
//
// What is added to a counter fits too if the loop goes on only while the counter is below a limit: the limit is cut to
// 2^32 - 1 - step. A counter that reaches a limit that was cut would have to go on beyond 32 bits; that kernel
// is stopped by a trap. Only loops are taken that need hundreds of millions of rounds to get there: those that begin
// low and go on by small steps, or by the number of all work-items, which together do 2^32 rounds then.
//
// A phi that fits becomes one of 32 bits; LLVM makes the rest of its uses small. A division does if what is divided
// fits, whatever it is divided by.
#include "hls/counters.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MARK "heddle.wide_counters"

enum { DEPTH_MAX = 6, ROUNDS_MAX = 32, STEP_MAX = 16 };

static const uint64_t unknown = UINT64_MAX, word_max = UINT32_MAX, start_max = UINT64_C(1) << 31;

// A counter's test at the head of its loop.
struct limit {
  LLVMValueRef phi, next, step, bound, test, branch;
  LLVMBasicBlockRef body, after;
  LLVMIntPredicate predicate;  // of the counter with the bound
  bool is_again;               // another way back to the same head
  bool is_cut;
  bool asks;  // for the step, in the loop
};

struct step {
  LLVMContextRef context;
  LLVMTypeRef wide, word;
  LLVMBuilderRef builder;
  LLVMValueRef *phis;  // those that may fit, in order of their addresses
  bool *fits;
  size_t phi_count;
  struct limit *limits;
  size_t limit_count;
};

static void *allocated(void *memory) {
  if (!memory)
    abort();
  return memory;
}

// ---- how large a number may be

static int by_address(const void *a, const void *b) {
  const uintptr_t x = (uintptr_t)*(LLVMValueRef const *)a, y = (uintptr_t)*(LLVMValueRef const *)b;
  return (x > y) - (x < y);
}

static bool phi_fits(const struct step *step, LLVMValueRef phi) {
  if (step->phi_count == 0)
    return false;
  const LLVMValueRef *found = bsearch(&phi, step->phis, step->phi_count, sizeof *step->phis, by_address);
  return found && step->fits[found - step->phis];
}

static const struct limit *limit_of_next(const struct step *step, LLVMValueRef next) {
  for (size_t i = 0; i < step->limit_count; i++)
    if (step->limits[i].next == next)
      return &step->limits[i];
  return NULL;
}

static uint64_t sum(uint64_t a, uint64_t b) {
  return a > unknown - b ? unknown : a + b;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

// All bits up to the highest.
static uint64_t filled(uint64_t a) {
  for (unsigned shift = 1; shift < 64; shift *= 2)
    a |= a >> shift;
  return a;
}

static uint64_t largest(const struct step *step, LLVMValueRef value, int depth) {
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetZExtValue(value);
  if (!LLVMIsAInstruction(value) || depth == DEPTH_MAX)
    return unknown;
  if (LLVMIsAPHINode(value))
    return phi_fits(step, value) ? word_max : unknown;
  const int count = LLVMGetNumOperands(value);
  LLVMValueRef a = count > 0 ? LLVMGetOperand(value, 0) : NULL, b = count > 1 ? LLVMGetOperand(value, 1) : NULL;
  const bool is_by_constant = b && LLVMIsAConstantInt(b);
  const uint64_t constant = is_by_constant ? LLVMConstIntGetZExtValue(b) : 0;
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMZExt: {
      const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(a));
      return bits < 64 ? (UINT64_C(1) << bits) - 1 : unknown;
    }
    case LLVMAdd: {
      const struct limit *limit = limit_of_next(step, value);
      if (limit && phi_fits(step, limit->phi))
        return word_max;
      return sum(largest(step, a, depth + 1), largest(step, b, depth + 1));
    }
    case LLVMMul: {
      const uint64_t x = largest(step, a, depth + 1), y = largest(step, b, depth + 1);
      return y != 0 && x > unknown / y ? unknown : x * y;
    }
    case LLVMShl: {
      const uint64_t x = largest(step, a, depth + 1);
      return is_by_constant && constant < 64 && x <= unknown >> constant ? x << constant : unknown;
    }
    case LLVMLShr: {
      const uint64_t x = largest(step, a, depth + 1);
      return is_by_constant && constant < 64 ? x >> constant : x;
    }
    case LLVMAnd:
      return smaller(largest(step, a, depth + 1), largest(step, b, depth + 1));
    case LLVMOr:
    case LLVMXor:
      return filled(larger(largest(step, a, depth + 1), largest(step, b, depth + 1)));
    case LLVMUDiv: {
      const uint64_t x = largest(step, a, depth + 1);
      return is_by_constant && constant != 0 ? x / constant : x;
    }
    case LLVMURem:
      return smaller(largest(step, a, depth + 1), largest(step, b, depth + 1));
    case LLVMSelect:
      return larger(largest(step, b, depth + 1), largest(step, LLVMGetOperand(value, 2), depth + 1));
    case LLVMFreeze:
      return largest(step, a, depth + 1);
    default:
      return unknown;
  }
}

static bool is_small(const struct step *step, LLVMValueRef value) {
  return largest(step, value, 0) <= word_max;
}

// ---- loops

// The blocks from which the ends of a loop are reached without its head. Empty: `head` is none of a loop that is
// entered there only.
struct loop {
  LLVMBasicBlockRef *blocks;
  size_t count;
};

static bool is_in(const struct loop *loop, LLVMBasicBlockRef block) {
  for (size_t i = 0; i < loop->count; i++)
    if (loop->blocks[i] == block)
      return true;
  return false;
}

static void add_block(struct loop *loop, LLVMBasicBlockRef block) {
  if (is_in(loop, block))
    return;
  loop->blocks = allocated(realloc(loop->blocks, (loop->count + 1) * sizeof *loop->blocks));
  loop->blocks[loop->count++] = block;
}

enum { LOOP_BLOCKS_MAX = 1024 };

// Blocks that lead to `end` without `head`, and `head`.
static struct loop loop_of(LLVMBasicBlockRef head, LLVMBasicBlockRef end) {
  struct loop loop = {0};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(head));
  add_block(&loop, head);
  add_block(&loop, end);
  for (size_t i = 1; i < loop.count; i++) {
    if (loop.blocks[i] == entry || loop.count > LOOP_BLOCKS_MAX) {
      free(loop.blocks);
      return (struct loop){0};
    }
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop.blocks[i])); use; use = LLVMGetNextUse(use))
      if (LLVMIsATerminatorInst(LLVMGetUser(use)))
        add_block(&loop, LLVMGetInstructionParent(LLVMGetUser(use)));
  }
  return loop;
}

// A question about sizes and ids, which has the same answer wherever it is asked; NULL: none. Its name without digits.
static const char *question_of(LLVMValueRef value) {
  LLVMValueRef call = LLVMIsAZExtInst(value) ? LLVMGetOperand(value, 0) : NULL;
  LLVMValueRef callee = call && LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  if (!callee || !LLVMIsAFunction(callee) || LLVMGetNumArgOperands(call) > 1 ||
      (LLVMGetNumArgOperands(call) == 1 && !LLVMIsAConstantInt(LLVMGetOperand(call, 0))))
    return NULL;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  if (strncmp(name, "_Z", 2) != 0)
    return NULL;
  name += 2 + strspn(name + 2, "0123456789");
  return strncmp(name, "get_", 4) == 0 ? name : NULL;
}

static bool is_counter(const struct step *step, LLVMValueRef value) {
  for (size_t i = 0; i < step->limit_count; i++)
    if (step->limits[i].phi == value)
      return true;
  return false;
}

// Far enough from 2^32.
static bool is_low(const struct step *step, LLVMValueRef value) {
  if (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
      is_counter(step, LLVMGetOperand(value, 0)))
    return largest(step, LLVMGetOperand(value, 1), 0) <= STEP_MAX;
  return largest(step, value, 0) <= start_max || question_of(value) || is_counter(step, value);
}

static bool starts_low(const struct step *step, LLVMValueRef phi, LLVMValueRef next) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingValue(phi, i) != next && !is_low(step, LLVMGetIncomingValue(phi, i)))
      return false;
  return true;
}

// The step, where the head can see it. A question is asked once, where the function begins.
static LLVMValueRef step_in_head(const struct step *step, const struct limit *limit) {
  if (!limit->asks)
    return limit->step;
  LLVMValueRef call = LLVMInstructionClone(LLVMGetOperand(limit->step, 0));
  LLVMBasicBlockRef head = LLVMGetInstructionParent(limit->branch);
  LLVMPositionBuilderBefore(step->builder,
                            LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(head))));
  LLVMInsertIntoBuilder(step->builder, call);
  LLVMValueRef answer = LLVMBuildZExt(step->builder, call, step->wide, "");
  LLVMSetOperand(limit->next, LLVMGetOperand(limit->next, 0) == limit->step ? 0 : 1, answer);
  LLVMPositionBuilderBefore(step->builder, limit->branch);
  return answer;
}

static LLVMIntPredicate swapped(LLVMIntPredicate predicate) {
  return predicate == LLVMIntUGT   ? LLVMIntULT
         : predicate == LLVMIntUGE ? LLVMIntULE
         : predicate == LLVMIntULT ? LLVMIntUGT
         : predicate == LLVMIntULE ? LLVMIntUGE
                                   : predicate;
}

static bool starts_at_zero(LLVMValueRef phi, LLVMValueRef next) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (value != next && !(LLVMIsAConstantInt(value) && LLVMIsNull(value)))
      return false;
  }
  return true;
}

// A phi that is a counter: the head of its loop goes into the loop only while it is below a bound.
static bool find_limit(const struct step *step, LLVMValueRef phi, LLVMValueRef next, LLVMBasicBlockRef end,
                       struct limit *limit) {
  LLVMBasicBlockRef head = LLVMGetInstructionParent(phi);
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(head);
  LLVMValueRef by = LLVMGetOperand(next, 0) == phi ? LLVMGetOperand(next, 1) : LLVMGetOperand(next, 0);
  LLVMValueRef test = LLVMIsABranchInst(branch) && LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
  if (!test || !LLVMIsAICmpInst(test) || LLVMGetInstructionParent(test) != head)
    return false;
  const bool is_swapped = LLVMGetOperand(test, 1) == phi;
  if (!is_swapped && LLVMGetOperand(test, 0) != phi)
    return false;
  LLVMIntPredicate predicate = is_swapped ? swapped(LLVMGetICmpPredicate(test)) : LLVMGetICmpPredicate(test);
  // Up to a bound, by one from zero, is below the bound.
  if (predicate == LLVMIntNE && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) == 1 &&
      starts_at_zero(phi, next))
    predicate = LLVMIntULT;
  *limit = (struct limit){.phi = phi,
                          .next = next,
                          .step = by,
                          .bound = LLVMGetOperand(test, is_swapped ? 0 : 1),
                          .test = test,
                          .branch = branch,
                          .body = LLVMGetSuccessor(branch, 0),
                          .after = LLVMGetSuccessor(branch, 1),
                          .predicate = predicate};
  const char *question = question_of(by);
  const bool has_small_steps = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) <= STEP_MAX
                                                      : question && strncmp(question, "get_global_size", 15) == 0;
  struct loop loop = loop_of(head, end);
  // In the head the sum would be made before the test.
  const bool is_limited = has_small_steps && starts_low(step, phi, next) && LLVMGetInstructionParent(next) != head &&
                          (predicate == LLVMIntULT || predicate == LLVMIntULE) && is_in(&loop, limit->body) &&
                          !is_in(&loop, limit->after);
  limit->asks = question;
  free(loop.blocks);
  return is_limited;
}

// ---- changes

// With everything after it in the block the phi is in.
static LLVMValueRef first_behind_phis(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(at))
    at = LLVMGetNextInstruction(at);
  return at;
}

static LLVMValueRef constant(const struct step *step, uint64_t value) {
  return LLVMConstInt(step->wide, value, 0);
}

static LLVMValueRef as_word(const struct step *step, LLVMValueRef value) {
  return LLVMBuildTrunc(step->builder, value, step->word, "");
}

static void narrow_phi(const struct step *step, LLVMValueRef phi) {
  LLVMPositionBuilderBefore(step->builder, phi);
  LLVMSetCurrentDebugLocation2(step->builder, NULL);
  LLVMValueRef made = LLVMBuildPhi(step->builder, step->word, "");
  LLVMPositionBuilderBefore(step->builder, first_behind_phis(LLVMGetInstructionParent(phi)));
  LLVMValueRef whole = LLVMBuildZExt(step->builder, made, step->wide, "");
  LLVMReplaceAllUsesWith(phi, whole);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    LLVMPositionBuilderBefore(step->builder, LLVMGetBasicBlockTerminator(from));
    unsigned same = 0;  // of one block there is one value
    while (same < i && LLVMGetIncomingBlock(phi, same) != from)
      same++;
    value = same < i ? LLVMGetIncomingValue(made, same) : as_word(step, value);
    LLVMAddIncoming(made, &value, &from, 1);
  }
  LLVMInstructionEraseFromParent(phi);
}

// Phis of a block get what came from one block from another.
static void move_incoming(const struct step *step, LLVMBasicBlockRef to, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef instead) {
  LLVMSetCurrentDebugLocation2(step->builder, NULL);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(to), next; LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMPositionBuilderBefore(step->builder, phi);
    LLVMValueRef made = LLVMBuildPhi(step->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMValueRef value = LLVMGetIncomingValue(phi, i);
      LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
      LLVMAddIncoming(made, &value, block == from ? &instead : &block, 1);
    }
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
  }
}

// The edge from a loop's head to what is behind it gets a block that stops a kernel whose counter has reached a limit
// that was cut.
static void stop_behind(const struct step *step, const struct limit *limit) {
  LLVMBasicBlockRef head = LLVMGetInstructionParent(limit->branch);
  LLVMBasicBlockRef check = LLVMInsertBasicBlockInContext(step->context, limit->after, "counted"),
                    stop = LLVMInsertBasicBlockInContext(step->context, limit->after, "counter_overflow");
  move_incoming(step, limit->after, head, check);
  LLVMSetSuccessor(limit->branch, 1, check);
  LLVMSetCurrentDebugLocation2(step->builder, LLVMInstructionGetDebugLoc(limit->branch));
  LLVMPositionBuilderAtEnd(step->builder, check);
  LLVMBuildCondBr(step->builder, limit->test, stop, limit->after);  // as it was: it would have to go on
  LLVMPositionBuilderAtEnd(step->builder, stop);
  const unsigned trap = LLVMLookupIntrinsicID("llvm.trap", sizeof "llvm.trap" - 1);
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(head));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, trap, NULL, 0);
  LLVMBuildCall2(step->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
  LLVMBuildUnreachable(step->builder);
}

static void cut_limit(const struct step *step, const struct limit *limit) {
  LLVMPositionBuilderBefore(step->builder, limit->branch);
  LLVMSetCurrentDebugLocation2(step->builder, LLVMInstructionGetDebugLoc(limit->branch));
  LLVMValueRef bound = limit->bound;
  if (limit->is_cut) {
    LLVMValueRef most = LLVMBuildSub(step->builder, constant(step, word_max), step_in_head(step, limit), "");
    LLVMValueRef is_below = LLVMBuildICmp(step->builder, LLVMIntULT, bound, most, "");
    bound = LLVMBuildSelect(step->builder, is_below, bound, most, "");
  }
  const bool is_swapped = LLVMGetOperand(limit->test, 1) != limit->bound;
  LLVMValueRef counter = as_word(step, LLVMGetOperand(limit->test, is_swapped ? 1 : 0));
  LLVMSetCondition(limit->branch, LLVMBuildICmp(step->builder, limit->predicate, counter, as_word(step, bound), ""));
}

// Divides what fits into 32 bits. By a number that does not fit, the quotient is 0.
static void narrow_division(const struct step *step, LLVMValueRef division) {
  LLVMValueRef a = LLVMGetOperand(division, 0), b = LLVMGetOperand(division, 1);
  const bool is_quotient = LLVMGetInstructionOpcode(division) == LLVMUDiv;
  LLVMPositionBuilderBefore(step->builder, division);
  LLVMSetCurrentDebugLocation2(step->builder, LLVMInstructionGetDebugLoc(division));
  LLVMValueRef most = constant(step, word_max), is_large = NULL, by = b;
  if (!is_small(step, b)) {
    is_large = LLVMBuildICmp(step->builder, LLVMIntUGT, b, most, "");
    by = LLVMBuildSelect(step->builder, is_large, most, b, "");
  }
  LLVMValueRef x = as_word(step, a), y = as_word(step, by);
  LLVMValueRef made = is_quotient ? LLVMBuildUDiv(step->builder, x, y, "") : LLVMBuildURem(step->builder, x, y, "");
  made = LLVMBuildZExt(step->builder, made, step->wide, "");
  if (is_large)
    made = LLVMBuildSelect(step->builder, is_large, is_quotient ? constant(step, 0) : a, made, "");
  LLVMReplaceAllUsesWith(division, made);
  LLVMInstructionEraseFromParent(division);
}

// ---- a function

// Two ways back to one head have the same step, or the second is as if it had no limit.
static void add_limit(struct step *step, struct limit limit) {
  for (size_t i = 0; i < step->limit_count; i++) {
    if (step->limits[i].branch != limit.branch)
      continue;
    if (step->limits[i].step != limit.step)
      return;
    limit.is_again = true;
  }
  step->limits = allocated(realloc(step->limits, (step->limit_count + 1) * sizeof *step->limits));
  step->limits[step->limit_count++] = limit;
}

static void find_phis(struct step *step, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at)) {
      if (LLVMTypeOf(at) != step->wide)
        continue;
      step->phis = allocated(realloc(step->phis, (step->phi_count + 1) * sizeof *step->phis));
      step->phis[step->phi_count++] = at;
      for (unsigned i = 0; i < LLVMCountIncoming(at); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(at, i);
        struct limit limit;
        if (LLVMIsAInstruction(next) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
            (LLVMGetOperand(next, 0) == at || LLVMGetOperand(next, 1) == at) &&
            find_limit(step, at, next, LLVMGetIncomingBlock(at, i), &limit))
          add_limit(step, limit);
      }
    }
  }
  if (step->phi_count != 0)
    qsort(step->phis, step->phi_count, sizeof *step->phis, by_address);
}

// What fits, until nothing more is disproved. A step that does not fit makes no limit.
static void find_what_fits(struct step *step) {
  step->fits = allocated(malloc(step->phi_count + 1));
  for (size_t i = 0; i < step->phi_count; i++)
    step->fits[i] = true;
  bool has_changed = true;
  for (int round = 0; has_changed; round++) {
    has_changed = false;
    for (size_t i = 0; i < step->limit_count; i++) {
      if (!is_small(step, step->limits[i].step)) {
        step->limits[i] = step->limits[--step->limit_count];
        has_changed = true;
        i--;
      }
    }
    for (size_t i = 0; i < step->phi_count; i++) {
      bool fits = step->fits[i] && round < ROUNDS_MAX;
      for (unsigned j = 0; j < LLVMCountIncoming(step->phis[i]) && fits; j++)
        fits = is_small(step, LLVMGetIncomingValue(step->phis[i], j));
      has_changed = has_changed || fits != step->fits[i];
      step->fits[i] = fits;
    }
  }
}

static bool is_division(LLVMValueRef value) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMUDiv || opcode == LLVMURem;
}

static void narrow_function(struct step *step, LLVMValueRef function) {
  find_phis(step, function);
  find_what_fits(step);
  // Everything is decided before anything is changed.
  LLVMValueRef *divisions = NULL;
  size_t division_count = 0, limit_count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
      if (is_division(at) && LLVMTypeOf(at) == step->wide && is_small(step, LLVMGetOperand(at, 0))) {
        divisions = allocated(realloc(divisions, (division_count + 1) * sizeof *divisions));
        divisions[division_count++] = at;
      }
    }
  }
  for (size_t i = 0; i < step->limit_count; i++) {
    struct limit limit = step->limits[i];
    limit.is_cut = sum(largest(step, limit.bound, 0), largest(step, limit.step, 0)) > word_max;
    if (phi_fits(step, limit.phi) && !limit.is_again)
      step->limits[limit_count++] = limit;
  }
  for (size_t i = 0; i < limit_count; i++)
    cut_limit(step, &step->limits[i]);
  for (size_t i = 0; i < step->phi_count; i++)
    if (step->fits[i])
      narrow_phi(step, step->phis[i]);
  step->phi_count = step->limit_count = 0;  // they are no more
  for (size_t i = 0; i < division_count; i++)
    narrow_division(step, divisions[i]);
  for (size_t i = 0; i < limit_count; i++)
    if (step->limits[i].is_cut)
      stop_behind(step, &step->limits[i]);
  free(divisions);
}

void counters_are_wide(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMAddNamedMetadataOperand(module, MARK, LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}

void counters_make_narrow(LLVMModuleRef module) {
  if (!LLVMGetNamedMetadata(module, MARK, strlen(MARK)))
    return;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    struct step step = {.context = context,
                        .wide = LLVMInt64TypeInContext(context),
                        .word = LLVMInt32TypeInContext(context),
                        .builder = builder};
    if (!LLVMIsDeclaration(f))
      narrow_function(&step, f);
    free(step.phis);
    free(step.fits);
    free(step.limits);
  }
  LLVMDisposeBuilder(builder);
}
