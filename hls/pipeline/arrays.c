// SPDX-License-Identifier: Apache-2.0
// Arrays in private memory that have memories of their own (rtl/pipeline/private_array.v): an access is an operation
// of a segment like any other, and takes part in no queue. These are arrays of which every access is known, all of one
// width. Others are in the memory port (accesses.c).
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "hls/call_graph.h"
#include "hls/pipeline/maker.h"

enum {
  MOST_READERS = 16,
  MOST_WRITERS = 4,
  MOST_BLOCKS = 104,  // block RAMs of all arrays: half of those of the largest board
};

// ---- which arrays

static bool is_ignored(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, "llvm.lifetime.", strlen("llvm.lifetime.")) == 0;
}

// Adds what a user makes of an address, or what it accesses. False if it does something else.
static bool follow(LLVMValueRef address, LLVMValueRef user, struct reach *addresses, struct reach *accesses) {
  if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
    if (LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic ||
        (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address))
      return false;
    if (!reach_has(accesses, user))
      reach_add(accesses, user);
    return true;
  }
  if (LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user) ||
      LLVMIsAAddrSpaceCastInst(user)) {
    if (!reach_has(addresses, user))
      reach_add(addresses, user);
    return true;
  }
  return LLVMIsACallInst(user) && is_ignored(user);
}

static unsigned bytes_of(struct maker *m, LLVMValueRef access) {
  const unsigned width = make_width_of(m, LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0)));
  return width == 0 || width > 64 ? 0 : make_bytes_of(width);
}

// Whether all that an element's address is counted in are whole elements.
static bool is_in_elements(const struct maker *m, LLVMValueRef gep, unsigned bytes) {
  LLVMTargetDataRef layout = m->graph->layout;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      if (LLVMOffsetOfElement(layout, type, field) % bytes != 0)
        return false;
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    const uint64_t size = LLVMABISizeOfType(layout, type);
    const uint64_t offset = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) * size : size;
    if (offset % bytes != 0)
      return false;
  }
  return true;
}

// Whether a choice is among addresses of the array alone.
static bool is_of_array(LLVMValueRef choice, const struct reach *addresses) {
  const bool is_phi = LLVMIsAPHINode(choice);
  const unsigned count = is_phi ? LLVMCountIncoming(choice) : LLVMIsASelectInst(choice) ? 3 : 0;
  for (unsigned i = is_phi ? 0 : 1; i < count; i++) {
    LLVMValueRef value = is_phi ? LLVMGetIncomingValue(choice, i) : LLVMGetOperand(choice, i);
    if (!LLVMIsUndef(value) && !LLVMIsPoison(value) && !reach_has(addresses, value))
      return false;
  }
  return true;
}

// Block RAMs of one copy, in the best of their shapes.
static unsigned blocks_of(const struct array *array, unsigned slots_log2) {
  const unsigned depth = array->elements << slots_log2;
  unsigned best = ~0u;
  if (depth <= 32)
    return 0;
  for (unsigned log2 = 9; log2 <= 14; log2++) {
    const unsigned bits = log2 <= 11 ? 36u >> (log2 - 9) : 16384u >> log2;
    const unsigned blocks = ((depth - 1) >> log2) + 1;
    const unsigned all = blocks * ((array->width + bits - 1) / bits);
    best = all < best ? all : best;
  }
  return best;
}

unsigned graph_array_blocks(const struct graph *graph, const struct array *array) {
  const unsigned copies = array->writers * (array->readers + array->writers - 1);
  return copies * graph->lanes * blocks_of(array, graph->slots_log2);
}

// Fills in what the array is. False if it cannot have a memory of its own.
static bool describe(struct maker *m, LLVMValueRef alloca, const struct reach *addresses, const struct reach *accesses,
                     struct array *array) {
  const uint64_t size = LLVMABISizeOfType(m->graph->layout, LLVMGetAllocatedType(alloca));
  if (accesses->count == 0 || size > 1u << 16 || !LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) ||
      LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)) != 1)
    return false;
  const unsigned bytes = bytes_of(m, accesses->values[0]);
  for (size_t i = 0; i < accesses->count; i++) {
    if (bytes == 0 || bytes_of(m, accesses->values[i]) != bytes)
      return false;
    *(LLVMIsALoadInst(accesses->values[i]) ? &array->readers : &array->writers) += 1;
  }
  for (size_t i = 1; i < addresses->count; i++)
    if (LLVMIsAGetElementPtrInst(addresses->values[i]) ? !is_in_elements(m, addresses->values[i], bytes)
                                                       : !is_of_array(addresses->values[i], addresses))
      return false;
  if (size % bytes != 0 || array->readers > MOST_READERS || array->writers > MOST_WRITERS)
    return false;
  array->readers += array->readers == 0;
  array->writers += array->writers == 0;
  array->width = 8 * bytes;
  array->elements = (unsigned)size / bytes;
  while (1u << array->bytes_log2 < bytes)
    array->bytes_log2++;
  array->index_bits = 1;
  while (1u << array->index_bits < array->elements)
    array->index_bits++;
  unsigned blocks = graph_array_blocks(m->graph, array);
  for (unsigned i = 0; i < m->graph->array_count; i++)
    blocks += graph_array_blocks(m->graph, &m->graph->arrays[i]);
  return blocks <= MOST_BLOCKS;
}

bool make_own_array(struct maker *m, LLVMValueRef alloca) {
  struct reach addresses = {0}, accesses = {0};
  bool is_known = true;
  reach_add(&addresses, alloca);
  for (size_t i = 0; i < addresses.count && is_known; i++)  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(addresses.values[i]); use && is_known; use = LLVMGetNextUse(use))
      is_known = follow(addresses.values[i], LLVMGetUser(use), &addresses, &accesses);
  struct graph *graph = m->graph;
  struct array array = {0};
  if (is_known && graph->array_count < MOST_ARRAYS && describe(m, alloca, &addresses, &accesses, &array)) {
    size_t length;
    array.name = LLVMGetValueName2(alloca, &length);
    m->accesses_of[graph->array_count] = accesses;
    graph->arrays[graph->array_count++] = array;
  } else {
    is_known = false;
    reach_free(&accesses);
  }
  reach_free(&addresses);
  return is_known;
}

// ---- accesses

// What the lanes at an access have in common: values that are not above a number.
enum { MOST_FACTS = 8, MOST_STEPS = 256 };
struct facts {
  const struct node *nodes[MOST_FACTS];
  uint64_t most[MOST_FACTS];
  unsigned count;
  unsigned steps;  // that were taken to find them, and what follows: values may be shared, so that all ways are many
};

static void add_facts(struct facts *facts, const struct node *condition, bool is_true) {
  if (condition->count != 2 || facts->steps++ > MOST_STEPS)
    return;
  const struct node *x = condition->arguments[0], *y = condition->arguments[1];
  if (condition->op == OP_AND && is_true) {
    add_facts(facts, x, true);
    add_facts(facts, y, true);
  } else if (condition->op == OP_XOR && condition->width == 1 && y->op == OP_CONSTANT && y->number == 1) {
    add_facts(facts, x, !is_true);
  } else if (condition->op == OP_ULT && facts->count < MOST_FACTS) {
    // x < 16, or not 15 < x.
    const struct node *limit = is_true ? y : x;
    if (limit->op != OP_CONSTANT || limit->number == 0)
      return;
    facts->nodes[facts->count] = is_true ? x : y;
    facts->most[facts->count++] = is_true ? limit->number - 1 : limit->number;
  }
}

// No value of a node is larger; only what indices are made of is looked at.
static uint64_t most_of(struct facts *facts, const struct node *node) {
  const uint64_t most = node->width < 64 ? (1ull << node->width) - 1 : ~0ull;
  uint64_t x, y;
  if (facts->steps++ > MOST_STEPS)
    return most;
  for (unsigned i = 0; i < facts->count; i++)
    if (facts->nodes[i] == node)
      return facts->most[i];
  switch (node->op) {
    case OP_CONSTANT:
      return node->number;
    case OP_PHI:
      return node->most != 0 ? node->most : most;
    case OP_AND:
    case OP_ADD:
    case OP_SHL:
    case OP_LSHR:
    case OP_MUL:
    case OP_OR:
    case OP_CONCAT:
      x = most_of(facts, node->arguments[0]);
      y = most_of(facts, node->arguments[1]);
      break;
    case OP_SELECT:
      x = most_of(facts, node->arguments[1]);
      y = most_of(facts, node->arguments[2]);
      return x > y ? x : y;
    case OP_ZEXT:
      return most_of(facts, node->arguments[0]);
    case OP_SLICE:
      x = most_of(facts, node->arguments[0]);
      return x >> node->number < most ? x >> node->number : most;
    default:
      return most;
  }
  switch (node->op) {
    case OP_AND:
      return x < y ? x : y;
    case OP_ADD:
      return x <= most && y <= most - x ? x + y : most;
    case OP_MUL:
      return y == 0 || x <= most / y ? x * y : most;
    case OP_SHL:
      return node->arguments[1]->op == OP_CONSTANT && y < 32 && x <= most >> y ? x << y : most;
    case OP_LSHR:
      return node->arguments[1]->op == OP_CONSTANT && y < 64 ? x >> y : x;
    default:
      return most;
  }
}

// The lanes whose element is there; for the others a fault.
static struct node *check(struct maker *m, LLVMValueRef instruction, const struct array *array, struct node *offset) {
  struct builder *b = &m->builder;
  struct node *active = make_active_lanes(m);
  const uint64_t bytes = (uint64_t)array->elements << array->bytes_log2;
  struct facts facts = {.count = 0};
  add_facts(&facts, active, true);
  if (most_of(&facts, offset) < bytes)
    return active;
  struct node *is_inside = build_compare(b, OP_ULT, offset, make_constant(m, 32, bytes));
  struct node *is_outside = build_and(b, active, build_not(b, is_inside));
  struct node *lanes = build_slice(b, build_node(b, OP_BALLOT, 32, 0, 1, &is_outside), 0, m->graph->lanes);
  struct node *arguments[] = {lanes, build_add(b, offset, PRIVATE_WINDOW)};
  struct node *found = build_ordered(b, OP_CHECK, 0, CHECK_PRIVATE, 2, arguments);
  found->site = make_site(m->graph, instruction, LLVMIsALoadInst(instruction) ? "load" : "store");
  m->graph->checks_addresses = true;
  return build_and(b, active, is_inside);
}

// Bits of a value, of the simplest one that has them: so equal indices are one node.
static struct node *bits_of(struct builder *b, struct node *node, unsigned low, unsigned width) {
  for (;;) {
    // The node itself stands for arguments that it does not have.
    struct node *x = node->count != 0 ? node->arguments[0] : node;
    const struct node *y = node->count > 1 ? node->arguments[1] : node;
    const uint64_t wanted = ((1ull << width) - 1) << low;
    if (node->op == OP_SHL && y->op == OP_CONSTANT && y->number <= low)
      low -= (unsigned)y->number;
    else if (node->op == OP_AND && y->op == OP_CONSTANT && (y->number & wanted) == wanted)
      ;
    else if ((node->op != OP_ZEXT && node->op != OP_SEXT) || low + width > x->width)
      return build_slice(b, node, low, width);
    node = x;
  }
}

// One read for all of an element that nobody writes in between: of a loop, in one round.
static struct node *read_element(struct maker *m, unsigned a, struct node *index) {
  struct list *reads = &m->reads_of[a];
  for (unsigned i = 0; i < reads->count; i++)
    if (reads->items[i]->arguments[0] == index && reads->items[i]->region == m->builder.region)
      return reads->items[i];
  struct node *read = build_ordered(&m->builder, OP_ELEMENT, m->graph->arrays[a].width, a, 1, &index);
  list_add(reads, read);
  return read;
}

bool make_element(struct maker *m, LLVMValueRef instruction, struct node **result) {
  struct builder *b = &m->builder;
  struct graph *graph = m->graph;
  unsigned a = 0;
  while (a < graph->array_count && !reach_has(&m->accesses_of[a], instruction))
    a++;
  if (a == graph->array_count)
    return false;
  const struct array *array = &graph->arrays[a];
  const bool is_load = LLVMIsALoadInst(instruction);
  struct node *offset = make_value(m, LLVMGetOperand(instruction, is_load ? 0 : 1));
  struct node *data = is_load ? NULL : make_value(m, LLVMGetOperand(instruction, 0));
  if (!offset || (!is_load && !data)) {
    make_refuse(m, instruction, "an array in private memory has values or places that pipelines do not have");
    *result = is_load ? make_constant(m, make_width_of(m, LLVMTypeOf(instruction)), 0) : NULL;
    return true;
  }
  struct node *inside = check(m, instruction, array, offset);
  struct node *index = bits_of(b, offset, array->bytes_log2, array->index_bits);
  if (is_load) {
    *result = build_slice(b, read_element(m, a, index), 0, make_width_of(m, LLVMTypeOf(instruction)));
  } else {
    struct node *arguments[] = {index, build_resize(b, data, array->width, false), inside};
    build_ordered(b, OP_SET_ELEMENT, 0, a, 3, arguments);
    m->reads_of[a] = (struct list){NULL, 0};
    *result = NULL;
  }
  return true;
}

// ---- their order

static bool is_access(const struct node *node, unsigned array) {
  return (node->op == OP_ELEMENT || node->op == OP_SET_ELEMENT) && node->number == array;
}

static bool touches(const struct region *r, unsigned array) {
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (is_access(node, array) || (node->op == OP_LOOP && touches(node->loop, array)))
      return true;
  }
  return false;
}

static void add_all(struct list *to, const struct list *from) {
  for (unsigned i = 0; i < from->count; i++)
    list_add(to, from->items[i]);
}

// A read is behind the last write, and a write behind it and the reads since. A loop counts as a write.
static void order(const struct region *r, unsigned array) {
  struct list reads = {NULL, 0}, writes = {NULL, 0};
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    const bool is_loop = node->op == OP_LOOP && touches(node->loop, array);
    if (is_loop)
      order(node->loop, array);
    if (!is_loop && !is_access(node, array))
      continue;
    if (node->op == OP_ELEMENT) {
      add_all(&node->after, &writes);
      list_add(&reads, node);
      continue;
    }
    if (!is_loop) {
      add_all(&node->after, &writes);
      add_all(&node->after, &reads);
    }
    reads = writes = (struct list){NULL, 0};
    list_add(&writes, node);
  }
}

void graph_order_arrays(struct graph *graph) {
  for (unsigned a = 0; a < graph->array_count; a++) {
    struct array *array = &graph->arrays[a];
    array->readers = array->writers = 0;
    for (unsigned i = 0; i < graph->node_count; i++) {
      struct node *node = graph->nodes[i];
      if (node->wanted && is_access(node, a))
        node->port = node->op == OP_ELEMENT ? array->readers++ : array->writers++;
    }
    order(graph->top, a);
  }
}
