// SPDX-License-Identifier: Apache-2.0
// See carried_words.h. Loops of one block alone: what is in it is done in each round, and the first load of a round
// that is carried may be in front of the loop.
#include "hls/pipeline/carried_words.h"

#include <llvm-c/DebugInfo.h>
#include <stdint.h>

#include "hls/address_spaces.h"
#include "hls/flow_graph.h"
#include "hls/ir.h"
#include "hls/kernel_hints.h"

enum { MOST_TERMS = 8, MOST_DEPTH = 12, MOST_ACCESSES = 64, MOST_CARRIED = 64 };

// base + the terms + constant, modulo 2^32, as values are in one round.
struct sum {
  LLVMValueRef base;
  struct term {
    LLVMValueRef value;
    uint32_t times;
  } terms[MOST_TERMS];
  unsigned count;
  uint32_t constant;
  bool is_known;
};

struct loop {
  LLVMTargetDataRef layout;
  LLVMValueRef kernel;
  LLVMBasicBlockRef block, before;  // the block in front of it
  bool is_inner;                    // it is in another loop
  LLVMValueRef accesses[MOST_ACCESSES];
  unsigned count;
};

// ---- sums

static void add_term(struct sum *sum, LLVMValueRef value, uint32_t times) {
  unsigned at = 0;
  while (at < sum->count && sum->terms[at].value != value)
    at++;
  if (at == MOST_TERMS) {
    sum->is_known = false;
    return;
  }
  if (at == sum->count)
    sum->terms[sum->count++] = (struct term){value, 0};
  sum->terms[at].times += times;
  if (sum->terms[at].times == 0)
    sum->terms[at] = sum->terms[--sum->count];
}

static bool is_number(LLVMValueRef value, uint32_t *number) {
  if (!LLVMIsAConstantInt(value))
    return false;
  *number = (uint32_t)LLVMConstIntGetSExtValue(value);
  return true;
}

static bool is_32_bits(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
}

static void add_value(struct sum *sum, LLVMValueRef value, uint32_t times, unsigned depth) {
  uint32_t number;
  if (is_number(value, &number)) {
    sum->constant += times * number;
    return;
  }
  if (!is_32_bits(value)) {
    sum->is_known = false;
    return;
  }
  if (!LLVMIsAInstruction(value) || depth == MOST_DEPTH) {
    add_term(sum, value, times);
    return;
  }
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef x = LLVMGetNumOperands(value) > 0 ? LLVMGetOperand(value, 0) : NULL,
               y = LLVMGetNumOperands(value) > 1 ? LLVMGetOperand(value, 1) : NULL;
  if (opcode == LLVMAdd || opcode == LLVMSub || (opcode == LLVMOr && LLVMGetIsDisjoint(value))) {
    add_value(sum, x, times, depth + 1);
    add_value(sum, y, opcode == LLVMSub ? 0 - times : times, depth + 1);
  } else if (opcode == LLVMMul && is_number(y, &number)) {
    add_value(sum, x, times * number, depth + 1);
  } else if (opcode == LLVMShl && is_number(y, &number) && number < 32) {
    add_value(sum, x, times << number, depth + 1);
  } else {
    add_term(sum, value, times);
  }
}

static bool add_index(void *sum, LLVMValueRef index, uint32_t bytes) {
  add_value(sum, index, bytes, 0);
  return true;
}

static void add_address(const struct loop *l, struct sum *sum, LLVMValueRef address) {
  for (unsigned depth = 0; ir_is_operation(address, LLVMGetElementPtr) && depth < MOST_DEPTH; depth++) {
    ir_each_index(l->layout, address, &sum->constant, add_index, sum);
    address = LLVMGetOperand(address, 0);
  }
  sum->base = address;
}

static struct sum sum_of(const struct loop *l, LLVMValueRef address) {
  struct sum sum = {.is_known = true};
  add_address(l, &sum, address);
  return sum;
}

static bool is_in(const struct loop *l, LLVMValueRef value) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == l->block;
}

// What a value that the loop carries comes from: of the round before, or of what is in front of the loop.
static LLVMValueRef incoming(const struct loop *l, LLVMValueRef phi, bool of_loop) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if ((LLVMGetIncomingBlock(phi, i) == l->block) == of_loop)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

// A sum with other values for what the loop carries: those of the next round, or of the first one.
static struct sum with(const struct loop *l, const struct sum *sum, bool of_loop) {
  struct sum other = {.constant = sum->constant, .is_known = sum->is_known};
  if (is_in(l, sum->base) && !LLVMIsAPHINode(sum->base))
    other.is_known = false;
  else
    add_address(l, &other, is_in(l, sum->base) ? incoming(l, sum->base, of_loop) : sum->base);
  for (unsigned i = 0; i < sum->count; i++) {
    LLVMValueRef value = sum->terms[i].value;
    if (is_in(l, value) && !LLVMIsAPHINode(value))
      other.is_known = false;
    else
      add_value(&other, is_in(l, value) ? incoming(l, value, of_loop) : value, sum->terms[i].times, 0);
  }
  return other;
}

// Whether two sums differ by a constant alone: the second is so much more.
static bool differ_by(const struct sum *a, const struct sum *b, uint32_t *more) {
  if (!a->is_known || !b->is_known || a->base != b->base || a->count != b->count)
    return false;
  for (unsigned i = 0; i < a->count; i++) {
    unsigned k = 0;
    while (k < b->count && b->terms[k].value != a->terms[i].value)
      k++;
    if (k == b->count || b->terms[k].times != a->terms[i].times)
      return false;
  }
  *more = b->constant - a->constant;
  return true;
}

// ---- accesses

static LLVMValueRef address_of(LLVMValueRef access) {
  return LLVMGetOperand(access, LLVMIsALoadInst(access) ? 0 : 1);
}

static LLVMTypeRef type_of(LLVMValueRef access) {
  return LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0));
}

static uint32_t size_of(const struct loop *l, LLVMValueRef access) {
  return (uint32_t)LLVMStoreSizeOfType(l->layout, type_of(access));
}

static bool is_restrict(const struct loop *l, LLVMValueRef base) {
  for (unsigned i = 0; i < LLVMCountParams(l->kernel); i++)
    if (LLVMGetParam(l->kernel, i) == base)
      return kernel_hints_is_restrict(l->kernel, i);
  return false;
}

static bool is_object(LLVMValueRef base) {
  return LLVMIsAArgument(base) || LLVMIsAAllocaInst(base) || LLVMIsAGlobalVariable(base);
}

// Whether two pointers are known to be of different objects.
static bool are_apart(const struct loop *l, LLVMValueRef a, LLVMValueRef b) {
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(a)), other = LLVMGetPointerAddressSpace(LLVMTypeOf(b));
  if (space != other)
    return space != GENERIC_ADDRESS_SPACE && other != GENERIC_ADDRESS_SPACE;
  if (a == b || !is_object(a) || !is_object(b))
    return false;
  return !LLVMIsAArgument(a) || !LLVMIsAArgument(b) || is_restrict(l, a) || is_restrict(l, b);
}

// Whether a store of one round leaves so many bytes at an address of a round, both as sums, as they are.
static bool leaves(const struct loop *l, const struct sum *store, uint32_t store_bytes, const struct sum *word,
                   uint32_t bytes) {
  uint32_t more;
  if (differ_by(store, word, &more))
    return more >= store_bytes && 0 - more >= bytes;
  // Through different pointers, whatever their sums are.
  LLVMValueRef a = store->base, b = word->base;
  return a && b && are_apart(l, a, b);
}

// Whether nothing else stores to what `source` has accessed, from there to the same place a round later.
static bool stays(const struct loop *l, LLVMValueRef source) {
  const struct sum word = sum_of(l, address_of(source));
  const uint32_t bytes = size_of(l, source);
  for (unsigned i = 0; i < l->count; i++) {
    LLVMValueRef store = l->accesses[i];
    if (!LLVMIsAStoreInst(store))
      continue;
    const struct sum now = sum_of(l, address_of(store)), next = with(l, &now, true);
    if ((store != source && !leaves(l, &now, size_of(l, store), &word, bytes)) ||
        !leaves(l, &next, size_of(l, store), &word, bytes))
      return false;
  }
  return true;
}

// ---- loops

// Whether it touches memory in a way that is not known here.
static bool is_opaque(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
      return true;
    case LLVMLoad:
    case LLVMStore:
      return !ir_is_plain(instruction);
    case LLVMCall:
      return !ir_calls(instruction, "llvm.") || ir_calls(instruction, "llvm.mem") ||
             ir_calls(instruction, "llvm.lifetime");
    default:
      return false;
  }
}

// A loop of one block, and what is in front of it. False: it is none, or more is done in it than is known.
static bool find_loop(struct loop *l, LLVMBasicBlockRef block) {
  l->block = block;
  l->before = NULL;
  l->count = 0;
  bool is_loop = false;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsATerminatorInst(user))
      continue;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
    is_loop |= from == block;
    if (from != block && l->before && l->before != from)
      return false;
    l->before = from != block ? from : l->before;
  }
  if (!is_loop || !l->before || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(l->before)) != 1)
    return false;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
    if (is_opaque(at) || ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && l->count == MOST_ACCESSES))
      return false;
    if (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at))
      l->accesses[l->count++] = at;
  }
  return true;
}

// The store whose word a load of the next round loads; NULL: there is none. In a loop in another one only along rows:
// rounds of the loop around may be interleaved down columns, as long as all accesses are in the inner one.
static LLVMValueRef source_of(const struct loop *l, LLVMValueRef load) {
  const struct sum now = sum_of(l, address_of(load)), next = with(l, &now, true);
  uint32_t step;
  if (l->is_inner && (!differ_by(&now, &next, &step) || step != size_of(l, load)))
    return NULL;
  for (unsigned i = 0; i < l->count; i++) {
    LLVMValueRef source = l->accesses[i];
    const struct sum word = sum_of(l, address_of(source));
    uint32_t more;
    if (LLVMIsAStoreInst(source) && type_of(source) == type_of(load) && differ_by(&word, &next, &more) && more == 0 &&
        stays(l, source))
      return source;
  }
  return NULL;
}

// The word of the first round, loaded in front of the loop.
static LLVMValueRef load_first(const struct loop *l, LLVMValueRef load, const struct sum *first) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(l->before));
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(load));
  LLVMValueRef offset = LLVMConstInt(word, first->constant, 0);
  for (unsigned i = 0; i < first->count; i++) {
    LLVMValueRef times = LLVMConstInt(word, first->terms[i].times, 0);
    offset = LLVMBuildAdd(b, offset, LLVMBuildMul(b, first->terms[i].value, times, ""), "");
  }
  LLVMValueRef address = LLVMBuildGEP2(b, LLVMInt8TypeInContext(context), first->base, &offset, 1, "");
  LLVMValueRef value = LLVMBuildLoad2(b, LLVMTypeOf(load), address, "");
  LLVMSetAlignment(value, LLVMGetAlignment(load));
  LLVMDisposeBuilder(b);
  return value;
}

static bool carry(const struct loop *l, LLVMValueRef load) {
  const struct sum sum = sum_of(l, address_of(load)), first = with(l, &sum, false);
  LLVMValueRef source = first.is_known ? source_of(l, load) : NULL;
  if (!source)
    return false;
  LLVMValueRef values[] = {load_first(l, load, &first), LLVMGetOperand(source, 0)};
  LLVMBasicBlockRef blocks[] = {l->before, l->block};
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(l->block));
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(load));
  LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(load), "carried");
  LLVMDisposeBuilder(b);
  LLVMAddIncoming(phi, values, blocks, 2);
  LLVMReplaceAllUsesWith(load, phi);
  LLVMInstructionEraseFromParent(load);
  return true;
}

// Carries one word of a loop. False: there is none.
static bool carry_one(const struct loop *l) {
  for (unsigned i = 0; i < l->count; i++)
    if (LLVMIsALoadInst(l->accesses[i]) && carry(l, l->accesses[i]))
      return true;
  return false;
}

bool carried_words_make(LLVMTargetDataRef layout, LLVMValueRef kernel) {
  struct loop l = {.layout = layout, .kernel = kernel};
  struct flow_graph graph = flow_graph_open(kernel);
  bool any = false;
  for (size_t i = 0; i < graph.count; i++) {
    if (!graph.nodes[i].is_header)
      continue;
    l.is_inner = graph.nodes[i].outer != FLOW_NONE;
    for (unsigned carried = 0; carried < MOST_CARRIED && find_loop(&l, graph.nodes[i].block) && carry_one(&l);
         carried++)
      any = true;
  }
  flow_graph_close(&graph);
  return any;
}
