// SPDX-License-Identifier: Apache-2.0
// See forwarding.h. An element that is set in a round is in the memory when the fifth round behind it reads. So four
// rounds are looked at, the last one first, and accesses are marked as not meeting before the fifth.
#include "hls/pipeline/forwarding.h"

#include "hls/address_spaces.h"
#include "hls/flow_graph.h"
#include "hls/ir.h"
#include "hls/shift_registers.h"

enum { ROUNDS = 4, MOST_OPERATIONS = 4, MOST_BITS = 64, MOST_BETWEEN = 100, MOST_DEPTH = 4 };

// What a round has set: whether, which element, and its value. Variables in memory.
struct set {
  LLVMValueRef is, index, value;
};

struct change {
  LLVMValueRef load, store, index;
  LLVMBasicBlockRef header;
  struct set sets[ROUNDS], now;  // of the rounds before, the last one first; of this round
};

static bool is_gep(LLVMValueRef value) {
  return ir_is_operation(value, LLVMGetElementPtr);
}

// Whether all indices but the last `but` are constants.
static bool are_constants(LLVMValueRef gep, unsigned but) {
  bool are = true;
  for (unsigned i = 1; i + but < (unsigned)LLVMGetNumOperands(gep); i++)
    are = are && LLVMIsAConstantInt(LLVMGetOperand(gep, i));
  return are;
}

// The array of an address with one index; NULL: it is another address.
static LLVMValueRef array_of(LLVMValueRef address, LLVMValueRef *index) {
  if (!is_gep(address) || !are_constants(address, 1))
    return NULL;
  *index = LLVMGetOperand(address, (unsigned)LLVMGetNumOperands(address) - 1);
  LLVMValueRef array = LLVMGetOperand(address, 0);
  while (is_gep(array) && are_constants(array, 0))
    array = LLVMGetOperand(array, 0);
  const bool is_local =
      LLVMIsAGlobalVariable(array) && LLVMGetPointerAddressSpace(LLVMTypeOf(array)) == LOCAL_ADDRESS_SPACE;
  return LLVMIsAAllocaInst(array) || is_local ? array : NULL;
}

static bool is_cheap(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
    case LLVMCall:
      return ir_calls(value, "llvm.umax.") || ir_calls(value, "llvm.umin.") || ir_calls(value, "llvm.smax.") ||
             ir_calls(value, "llvm.smin.");
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSelect:
    case LLVMICmp:
    case LLVMZExt:
    case LLVMTrunc:
      return true;
    default:
      return false;
  }
}

struct search {
  LLVMValueRef load;
  int operations, steps;  // left
};

// Whether a value is made of what is loaded by a few operations that take little time. Behind others rounds wait for
// each other anyway. *any: it is made of that at all.
static bool is_made_of(LLVMValueRef value, struct search *s, bool *any) {
  *any |= value == s->load;
  if (value == s->load || !LLVMIsAInstruction(value) ||
      LLVMGetInstructionParent(value) != LLVMGetInstructionParent(s->load))
    return true;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMLoad || opcode == LLVMPHI)
    return true;
  bool is = --s->steps >= 0, own = false;
  for (int i = 0; i < LLVMGetNumOperands(value) && is; i++)
    is = is_made_of(LLVMGetOperand(value, (unsigned)i), s, &own);
  *any |= own;
  return is && (!own || (is_cheap(value) && --s->operations >= 0));
}

// Whether all that is done to an array, or a part of it, are loads and stores of elements, and in the loop these two
// alone. `depth`: most addresses that are made of each other.
static bool are_alone(const struct flow_graph *graph, const struct change *c, LLVMValueRef array, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(array); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool is_store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == array;
    if (ir_calls(user, "llvm.lifetime."))
      continue;
    if (is_gep(user)) {
      if (depth == 0 || LLVMGetOperand(user, 0) != array || !are_alone(graph, c, user, depth - 1))
        return false;
      continue;
    }
    if ((!LLVMIsALoadInst(user) && !is_store) || (is_store && LLVMGetOperand(user, 0) == array) ||
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != graph->function)
      return false;
    if (user != c->load && user != c->store && flow_graph_is_in_loop(graph, LLVMGetInstructionParent(user), c->header))
      return false;
  }
  return true;
}

// Whether an element is loaded there, and in the same block stored again.
static bool find(const struct flow_graph *graph, LLVMValueRef load, struct change *c) {
  LLVMValueRef address = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
  *c = (struct change){.load = load};
  LLVMValueRef array = address ? array_of(address, &c->index) : NULL;
  LLVMTypeRef type = LLVMTypeOf(load);
  if (!array || !ir_is_plain(load) || shift_registers_distance(load) != 0 || LLVMIsAConstantInt(c->index) ||
      LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > MOST_BITS)
    return false;
  c->header = flow_graph_header_of(graph, LLVMGetInstructionParent(load));
  unsigned near = MOST_BETWEEN;
  for (LLVMValueRef at = load; at && !c->store && near-- > 0; at = LLVMGetNextInstruction(at))
    if (LLVMIsAStoreInst(at) && LLVMGetOperand(at, 1) == address && LLVMTypeOf(LLVMGetOperand(at, 0)) == type)
      c->store = at;
  struct search search = {load, MOST_OPERATIONS, MOST_BETWEEN};
  bool any = false;
  return c->header && c->store && ir_is_plain(c->store) && is_made_of(LLVMGetOperand(c->store, 0), &search, &any) &&
         any && are_alone(graph, c, array, MOST_DEPTH);
}

// ---- the change

static struct set make_set(LLVMBuilderRef builder, const struct change *c) {
  LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(c->index)));
  return (struct set){LLVMBuildAlloca(builder, bit, ""), LLVMBuildAlloca(builder, LLVMTypeOf(c->index), ""),
                      LLVMBuildAlloca(builder, LLVMTypeOf(c->load), "")};
}

static void put_nothing(LLVMBuilderRef builder, const struct set *set) {
  LLVMBuildStore(builder, LLVMConstNull(LLVMGetAllocatedType(set->is)), set->is);
  LLVMBuildStore(builder, LLVMConstNull(LLVMGetAllocatedType(set->index)), set->index);
  LLVMBuildStore(builder, LLVMConstNull(LLVMGetAllocatedType(set->value)), set->value);
}

static LLVMValueRef get(LLVMBuilderRef builder, LLVMValueRef variable) {
  return LLVMBuildLoad2(builder, LLVMGetAllocatedType(variable), variable, "");
}

static void copy(LLVMBuilderRef builder, const struct set *from, const struct set *to) {
  LLVMBuildStore(builder, get(builder, from->is), to->is);
  LLVMBuildStore(builder, get(builder, from->index), to->index);
  LLVMBuildStore(builder, get(builder, from->value), to->value);
}

// Where the loop begins nothing was set; from round to round all move on.
static void write_rounds(LLVMBuilderRef builder, const struct flow_graph *graph, const struct change *c) {
  for (size_t i = 0; i < graph->count; i++) {
    LLVMBasicBlockRef block = graph->nodes[i].block;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    bool leads = false;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++)
      leads |= LLVMGetSuccessor(last, k) == c->header;
    if (!leads)
      continue;
    LLVMPositionBuilderBefore(builder, last);
    const bool is_round = flow_graph_is_in_loop(graph, block, c->header);
    for (unsigned k = ROUNDS; k-- > 0;)
      if (!is_round)
        put_nothing(builder, &c->sets[k]);
      else
        copy(builder, k > 0 ? &c->sets[k - 1] : &c->now, &c->sets[k]);
  }
  LLVMValueRef first = LLVMGetFirstInstruction(c->header);
  while (LLVMIsAPHINode(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(builder, first);
  put_nothing(builder, &c->now);
}

// What the last round has set that was this element.
static void write_load(LLVMBuilderRef builder, const struct change *c) {
  LLVMValueRef next = LLVMGetNextInstruction(c->load), found = c->load;
  LLVMPositionBuilderBefore(builder, next);
  LLVMValueRef first = NULL;
  for (unsigned k = ROUNDS; k-- > 0;) {
    LLVMValueRef same = LLVMBuildICmp(builder, LLVMIntEQ, c->index, get(builder, c->sets[k].index), "");
    LLVMValueRef is = LLVMBuildAnd(builder, get(builder, c->sets[k].is), same, "");
    found = LLVMBuildSelect(builder, is, get(builder, c->sets[k].value), found, "");
    first = first ? first : found;
  }
  LLVMReplaceAllUsesWith(c->load, found);
  LLVMSetOperand(first, 2, c->load);
}

static void change(LLVMBuilderRef builder, const struct flow_graph *graph, struct change *c) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(graph->function);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  for (unsigned k = 0; k < ROUNDS; k++)
    c->sets[k] = make_set(builder, c);
  c->now = make_set(builder, c);
  write_rounds(builder, graph, c);
  write_load(builder, c);
  LLVMPositionBuilderBefore(builder, c->store);
  LLVMBuildStore(builder, LLVMConstAllOnes(LLVMGetAllocatedType(c->now.is)), c->now.is);
  LLVMBuildStore(builder, c->index, c->now.index);
  LLVMBuildStore(builder, LLVMGetOperand(c->store, 0), c->now.value);
  shift_registers_mark_distance(c->load, ROUNDS + 1);
  shift_registers_mark_distance(c->store, ROUNDS + 1);
}

bool forwarding_make(LLVMValueRef kernel) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));
  struct flow_graph graph = flow_graph_open(kernel);
  bool any = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
      struct change c;
      next = LLVMGetNextInstruction(at);
      if (!find(&graph, at, &c))
        continue;
      change(builder, &graph, &c);
      any = true;
    }
  flow_graph_close(&graph);
  LLVMDisposeBuilder(builder);
  return any;
}
