// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/exclusive_items.h"

#include <stdlib.h>
#include <string.h>

#include "hls/ir.h"
#include "hls/pipeline/ivdep.h"

enum { MOST_INSTRUCTIONS = 1 << 14, MOST_STEPS = 8 };

bool exclusive_has(const struct exclusive_set *set, unsigned i) {
  return set->words[i / 64] >> i % 64 & 1;
}

static void add(struct exclusive_set *set, unsigned i) {
  set->words[i / 64] |= UINT64_C(1) << i % 64;
}

static void add_all(struct exclusive_set *set, const struct exclusive_set *others) {
  for (unsigned i = 0; i < EXCLUSIVE_WORDS; i++)
    set->words[i] |= others->words[i];
}

// ---- what is worth it

static bool is_reached_by_name(LLVMValueRef address) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user)) {
      if (!is_reached_by_name(user))
        return false;
    } else if (LLVMIsAStoreInst(user)) {
      if (LLVMGetOperand(user, 0) == address)
        return false;
    } else if (!LLVMIsALoadInst(user) && !ir_calls(user, "llvm.lifetime.")) {
      return false;
    }
  }
  return true;
}

void exclusive_find_arrays(struct exclusive_items *e, LLVMValueRef kernel) {
  e->arrays.count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)); at; at = LLVMGetNextInstruction(at))
    if (LLVMIsAAllocaInst(at) && is_reached_by_name(at))
      reach_add(&e->arrays, at);
}

static LLVMValueRef array_of(const struct exclusive_items *e, LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsAAddrSpaceCastInst(address))
    address = LLVMGetOperand(address, 0);
  return reach_has(&e->arrays, address) ? address : NULL;
}

bool exclusive_is_access(LLVMValueRef at) {
  return (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && ir_is_plain(at);
}

static LLVMValueRef address_of(LLVMValueRef access) {
  return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static bool has_constant(LLVMValueRef at) {
  return LLVMIsAConstant(LLVMGetOperand(at, 0)) || LLVMIsAConstant(LLVMGetOperand(at, 1));
}

bool exclusive_is_large(LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
      return true;
    case LLVMMul:
      return !has_constant(at);
    case LLVMCall:
      return !straight_has_effects(at) && (ir_calls(at, "llvm.riscv.mopr") || ir_calls(at, "llvm.sqrt") ||
                                           ir_calls(at, "llvm.fma") || ir_calls(at, "llvm.fmuladd"));
    default:
      return false;
  }
}

// ---- which are alike

// The third argument of a division says which one it is.
static bool are_calls_alike(LLVMValueRef a, LLVMValueRef b) {
  return LLVMGetCalledValue(a) == LLVMGetCalledValue(b) &&
         (!ir_calls(a, "llvm.riscv.mopr") || LLVMGetOperand(a, 2) == LLVMGetOperand(b, 2));
}

static LLVMTypeRef type_of(LLVMValueRef at) {
  return LLVMTypeOf(LLVMIsAStoreInst(at) ? LLVMGetOperand(at, 0) : at);
}

unsigned exclusive_arguments_of(LLVMValueRef at) {
  return LLVMIsACallInst(at) ? LLVMGetNumArgOperands(at) : (unsigned)LLVMGetNumOperands(at);
}

bool exclusive_are_same_operation(LLVMValueRef a, LLVMValueRef b) {
  if (LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) || type_of(a) != type_of(b) ||
      (LLVMCanValueUseFastMathFlags(a) && LLVMGetFastMathFlags(a) != LLVMGetFastMathFlags(b)))
    return false;
  return !LLVMIsACallInst(a) || are_calls_alike(a, b);
}

void exclusive_forget(LLVMValueRef instruction) {
  static const char *const kinds[] = {"tbaa",   "tbaa.struct", "alias.scope",    "noalias",
                                      "range",  "nonnull",     "align",          "noundef",
                                      "fpmath", "prof",        "invariant.load", "nontemporal"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    LLVMSetMetadata(
        instruction,
        LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)), kinds[i], (unsigned)strlen(kinds[i])),
        NULL);
}

static bool are_alike(const struct exclusive_item *x, const struct exclusive_item *y) {
  LLVMValueRef a = x->instruction, b = y->instruction;
  if (x->array != y->array || x->has_effects != y->has_effects)
    return false;
  if (!x->has_effects)
    return exclusive_are_same_operation(a, b);
  return x->array && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) && type_of(a) == type_of(b) &&
         exclusive_is_access(a) && exclusive_is_access(b) && ivdep_loops(a) == ivdep_loops(b) &&
         LLVMTypeOf(address_of(a)) == LLVMTypeOf(address_of(b));
}

static bool exclude(const struct exclusive_items *e, const struct exclusive_item *x, const struct exclusive_item *y) {
  const struct straight *s = e->straight;
  return x->block != y->block && !s->reaches[x->block][y->block] && !s->reaches[y->block][x->block];
}

bool exclusive_may_be_one(const struct exclusive_items *e, unsigned i, unsigned k) {
  return exclude(e, &e->items[i], &e->items[k]) && are_alike(&e->items[i], &e->items[k]);
}

static bool is_same(LLVMValueRef a, LLVMValueRef b, unsigned steps) {
  if (a == b)
    return true;
  const bool are_made = LLVMIsAInstruction(a) && LLVMIsAInstruction(b);
  if (steps == 0 || !are_made || LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
      LLVMTypeOf(a) != LLVMTypeOf(b) || LLVMGetNumOperands(a) != LLVMGetNumOperands(b) || LLVMIsAPHINode(a) ||
      straight_has_effects(a) ||
      (LLVMIsACmpInst(a) &&
       (LLVMGetICmpPredicate(a) != LLVMGetICmpPredicate(b) || LLVMGetFCmpPredicate(a) != LLVMGetFCmpPredicate(b))))
    return false;
  if (LLVMIsAGetElementPtrInst(a) && LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(a); i++)
    if (!is_same(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), steps - 1))
      return false;
  return true;
}

bool exclusive_is_same(LLVMValueRef a, LLVMValueRef b) {
  return is_same(a, b, MOST_STEPS);
}

// ---- items, and what each needs

// What values are made of, by block and instruction.
struct made_of {
  LLVMValueRef *values;  // sorted by address
  struct exclusive_set *sets;
  struct exclusive_set blocks[STRAIGHT_MOST_BLOCKS];  // of conditions
  size_t count;
};

static int by_address(const void *a, const void *b) {
  const uintptr_t x = (uintptr_t)*(LLVMValueRef const *)a, y = (uintptr_t)*(LLVMValueRef const *)b;
  return x < y ? -1 : x > y;
}

static const struct exclusive_set *found(const struct made_of *made, LLVMValueRef value) {
  LLVMValueRef *at = bsearch(&value, made->values, made->count, sizeof value, by_address);
  return at ? &made->sets[at - made->values] : NULL;
}

static unsigned item_of(const struct exclusive_items *e, LLVMValueRef value) {
  unsigned i = 0;
  while (i < e->count && e->items[i].instruction != value)
    i++;
  return i;
}

static void add_operand(const struct exclusive_items *e, const struct made_of *made, LLVMValueRef operand,
                        struct exclusive_set *set) {
  const struct exclusive_set *of = LLVMIsAInstruction(operand) ? found(made, operand) : NULL;
  if (!of)
    return;
  add_all(set, of);
  const unsigned item = item_of(e, operand);
  if (item < e->count)
    add(set, item);
}

// What decides which way a block is left is part of all that comes behind it.
static void add_ways_to(const struct exclusive_items *e, struct made_of *made, unsigned block) {
  for (unsigned p = 0; p < block; p++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(e->straight->blocks[p]);
    if (!e->straight->reaches[p][block])
      continue;
    add_all(&made->blocks[block], &made->blocks[p]);
    if (LLVMIsConditional(end))
      add_operand(e, made, LLVMGetCondition(end), &made->blocks[block]);
  }
}

static size_t count_instructions(const struct straight *s) {
  size_t count = 0;
  for (unsigned b = 0; b < s->count; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->blocks[b]); at; at = LLVMGetNextInstruction(at))
      count++;
  return count;
}

static void find_made_of(struct exclusive_items *e, struct made_of *made) {
  const struct straight *s = e->straight;
  for (unsigned b = 0; b < s->count; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->blocks[b]); at; at = LLVMGetNextInstruction(at))
      made->values[made->count++] = at;
  qsort(made->values, made->count, sizeof *made->values, by_address);
  for (unsigned b = 0; b < s->count; b++) {
    add_ways_to(e, made, b);
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->blocks[b]); at; at = LLVMGetNextInstruction(at)) {
      struct exclusive_set *set = (struct exclusive_set *)found(made, at);
      if (LLVMIsAPHINode(at)) {
        add_all(set, &made->blocks[b]);
        for (unsigned i = 0; i < LLVMCountIncoming(at) && b != 0; i++)
          add_operand(e, made, LLVMGetIncomingValue(at, i), set);
        continue;
      }
      for (int i = 0; i < LLVMGetNumOperands(at); i++)
        add_operand(e, made, LLVMGetOperand(at, (unsigned)i), set);
    }
  }
}

// Whether one must not pass the other. What is volatile or atomic passes nothing of its array.
static bool conflict(const struct exclusive_item *x, const struct exclusive_item *y) {
  // Others know no private array that is reached by its name alone.
  if (!x->has_effects || !y->has_effects || x->array != y->array)
    return false;
  const bool are_plain = exclusive_is_access(x->instruction) && exclusive_is_access(y->instruction);
  return !are_plain || LLVMIsAStoreInst(x->instruction) || LLVMIsAStoreInst(y->instruction);
}

static void find_needs(struct exclusive_items *e, const struct made_of *made) {
  const struct straight *s = e->straight;
  for (unsigned i = 0; i < e->count; i++) {
    struct exclusive_item *item = &e->items[i];
    add_all(&item->needs, found(made, item->instruction));
    add_all(&item->needs, &made->blocks[item->block]);
    for (unsigned k = 0; k < i; k++) {
      const struct exclusive_item *before = &e->items[k];
      if ((before->block == item->block || s->reaches[before->block][item->block]) && conflict(before, item))
        add(&item->needs, k);
    }
  }
}

static void find_behind(struct exclusive_items *e) {
  for (unsigned i = e->count; i-- > 0;)
    for (unsigned k = 0; k < i; k++)
      if (exclusive_has(&e->items[i].needs, k) && e->items[k].behind <= e->items[i].behind)
        e->items[k].behind = e->items[i].behind + 1;
}

static bool is_nothing(LLVMValueRef at) {
  return ir_calls(at, "llvm.lifetime.") || ir_calls(at, "llvm.assume") ||
         ir_calls(at, "llvm.experimental.noalias.scope.decl");
}

// False: too many.
static bool find_items(struct exclusive_items *e, bool with_operations) {
  const struct straight *s = e->straight;
  e->count = 0;
  for (unsigned b = 0; b < s->count; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->blocks[b]); at; at = LLVMGetNextInstruction(at)) {
      if (LLVMIsATerminatorInst(at) || LLVMIsAAllocaInst(at) || LLVMIsAPHINode(at) || is_nothing(at))
        continue;
      const bool has_effects = straight_has_effects(at);
      if (!has_effects && !(with_operations && exclusive_is_large(at)))
        continue;
      if (e->count == EXCLUSIVE_MOST_ITEMS)
        return false;
      e->items[e->count++] = (struct exclusive_item){
          .instruction = at,
          .array = LLVMIsALoadInst(at) || LLVMIsAStoreInst(at) ? array_of(e, address_of(at)) : NULL,
          .block = b,
          .has_effects = has_effects,
      };
    }
  return true;
}

static void remove_nothing(const struct straight *s) {
  for (unsigned b = 0; b < s->count; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->blocks[b]), next; at; at = next) {
      next = LLVMGetNextInstruction(at);
      if (is_nothing(at))
        LLVMInstructionEraseFromParent(at);
    }
}

void exclusive_find_needs(struct exclusive_items *e) {
  struct made_of *made = calloc(1, sizeof *made);
  remove_nothing(e->straight);
  const size_t count = count_instructions(e->straight);
  if (!made || !(made->values = calloc(count + 1, sizeof *made->values)) ||
      !(made->sets = calloc(count + 1, sizeof *made->sets)))
    abort();
  find_made_of(e, made);
  find_needs(e, made);
  find_behind(e);
  free(made->values);
  free(made->sets);
  free(made);
}

bool exclusive_find_items(struct exclusive_items *e) {
  return e->straight->count > 2 && count_instructions(e->straight) <= MOST_INSTRUCTIONS &&
         (find_items(e, true) || find_items(e, false));
}
