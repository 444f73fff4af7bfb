// SPDX-License-Identifier: Apache-2.0
// Arrays in private and local memory that have memories of their own (rtl/pipeline/private_array.v, local_array.v). An
// access of a private one, and a load of a local one, is an operation of a segment like any other, and takes part in no
// queue; stores of a local array are memory groups of their own. These are arrays of which every access is known, all
// of one width. Others are in the memory port (accesses.c).
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "hls/call_graph.h"
#include "hls/pipeline/maker.h"
#include "hls/pipeline/tables.h"

enum {
  MOST_READERS = 16,
  MOST_LOCAL_READERS = 64,
  MOST_WRITERS = 4,
  MOST_BLOCKS = 104,  // block RAMs of all private arrays: half of those of the largest board
};

// ---- which arrays

static bool is_ignored(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, "llvm.lifetime.", strlen("llvm.lifetime.")) == 0;
}

// An instruction's, or a constant expression's.
static bool is_operation(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value) == opcode
         : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) == opcode
                                      : false;
}

static bool is_elsewhere(const struct maker *m, LLVMValueRef user) {
  return LLVMIsAInstruction(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != m->graph->function;
}

// Adds what a user makes of an address, or what it accesses. Returns why the array can have no memory of its own, or
// NULL.
static const char *follow(LLVMValueRef address, LLVMValueRef user, bool is_local, struct reach *addresses,
                          struct reach *accesses) {
  if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address)
      return "its address is stored";
    if (LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic)
      return "it is atomic";
    // Work-items may wait for each other with these.
    if (is_local && LLVMGetVolatile(user))
      return "it is volatile";
    if (!reach_has(accesses, user))
      reach_add(accesses, user);
    return NULL;
  }
  if (LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user))
    return "it is atomic";
  if (is_operation(user, LLVMGetElementPtr) || is_operation(user, LLVMAddrSpaceCast) || LLVMIsAPHINode(user) ||
      LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user)) {
    if (!reach_has(addresses, user))
      reach_add(addresses, user);
    return NULL;
  }
  return LLVMIsACallInst(user) && is_ignored(user) ? NULL : "its address is used for more than loads and stores";
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

unsigned graph_copy_blocks(unsigned depth, unsigned width) {
  unsigned best = ~0u;
  if (depth <= 32)
    return 0;
  for (unsigned log2 = 9; log2 <= 14; log2++) {
    const unsigned bits = log2 <= 11 ? 36u >> (log2 - 9) : 16384u >> log2;
    const unsigned blocks = ((depth - 1) >> log2) + 1;
    const unsigned all = blocks * ((width + bits - 1) / bits);
    best = all < best ? all : best;
  }
  return best;
}

unsigned graph_array_blocks(const struct graph *graph, const struct array *array) {
  if (array->is_local)
    return graph_local_array_blocks(graph, (unsigned)(array - graph->arrays));
  const unsigned copies = array->writers * (array->readers + array->writers - 1);
  return copies * graph->lanes * graph_copy_blocks(array->elements << graph->slots_log2, array->width);
}

static LLVMTypeRef type_of(LLVMValueRef variable) {
  return LLVMIsAGlobalVariable(variable) ? LLVMGlobalGetValueType(variable) : LLVMGetAllocatedType(variable);
}

static bool is_one(LLVMValueRef variable) {
  if (LLVMIsAGlobalVariable(variable))
    return true;
  LLVMValueRef count = LLVMGetOperand(variable, 0);
  return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

// Fills in what the array is. Returns why it cannot have a memory of its own, or NULL.
static const char *describe(struct maker *m, LLVMValueRef variable, const struct reach *addresses,
                            const struct reach *accesses, struct array *array) {
  const uint64_t size = LLVMABISizeOfType(m->graph->layout, type_of(variable));
  if (accesses->count == 0)
    return "it is not accessed";
  if (size > 1u << 16 || !is_one(variable))
    return "it is too large";
  const unsigned bytes = bytes_of(m, accesses->values[0]);
  for (size_t i = 0; i < accesses->count; i++) {
    if (bytes == 0 || bytes_of(m, accesses->values[i]) != bytes)
      return "its accesses are of different sizes";
    if (array->is_local && LLVMGetAlignment(accesses->values[i]) < bytes)
      return "its accesses are not aligned";
    *(LLVMIsALoadInst(accesses->values[i]) ? &array->readers : &array->writers) += 1;
  }
  for (size_t i = 1; i < addresses->count; i++) {
    LLVMValueRef address = addresses->values[i];
    // Of local memory an access's alignment says it.
    if (!array->is_local && is_operation(address, LLVMGetElementPtr) && !is_in_elements(m, address, bytes))
      return "its accesses are not of whole elements";
    if (!is_operation(address, LLVMGetElementPtr) && !is_of_array(address, addresses))
      return "a pointer to it may point to something else";
  }
  if (size % bytes != 0)
    return "its accesses are not of whole elements";
  if (array->readers > (array->is_local ? MOST_LOCAL_READERS : MOST_READERS) ||
      (!array->is_local && array->writers > MOST_WRITERS))
    return "it has too many accesses";
  if (array->is_local && bytes > 4)
    return "its elements have more than 4 bytes";
  array->readers += array->readers == 0;
  array->writers += array->writers == 0;
  array->width = 8 * bytes;
  array->elements = (unsigned)size / bytes;
  while (1u << array->bytes_log2 < bytes)
    array->bytes_log2++;
  // The index of a local array's row has two bits at least.
  array->index_bits = array->is_local ? m->graph->lanes_log2 + 2 : 1;
  while (1u << array->index_bits < array->elements)
    array->index_bits++;
  if (array->is_local)
    return NULL;  // local_arrays.c, when patterns are known
  unsigned blocks = graph_array_blocks(m->graph, array);
  for (unsigned i = 0; i < m->graph->array_count; i++)
    if (!m->graph->arrays[i].is_local)
      blocks += graph_array_blocks(m->graph, &m->graph->arrays[i]);
  return blocks <= MOST_BLOCKS ? NULL : "it takes too many block RAMs";
}

static const char *find_array(struct maker *m, LLVMValueRef variable, struct array *array, struct reach *addresses,
                              struct reach *accesses) {
  for (unsigned i = 0; i < m->graph->port_array_count; i++)
    if (m->graph->port_arrays[i].variable == variable)
      return m->graph->port_arrays[i].why;
  if (m->graph->array_count == MOST_ARRAYS)
    return "there are too many arrays";
  reach_add(addresses, variable);
  for (size_t i = 0; i < addresses->count; i++)  // grows while it runs
    for (LLVMUseRef use = LLVMGetFirstUse(addresses->values[i]); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      const char *why =
          is_elsewhere(m, user) ? NULL : follow(addresses->values[i], user, array->is_local, addresses, accesses);
      if (why)
        return why;
    }
  return describe(m, variable, addresses, accesses, array);
}

bool make_own_array(struct maker *m, LLVMValueRef variable, unsigned base) {
  struct reach addresses = {0}, accesses = {0};
  struct graph *graph = m->graph;
  struct array array = {.is_local = LLVMIsAGlobalVariable(variable), .variable = variable, .base = base};
  const char *why = find_array(m, variable, &array, &addresses, &accesses);
  if (!why) {
    size_t length;
    array.name = graph_word(LLVMGetValueName2(variable, &length), ".$");
    m->accesses_of[graph->array_count] = accesses;
    graph->arrays[graph->array_count++] = array;
  } else {
    reach_free(&accesses);
    if (array.is_local)
      graph_keep_on_port(graph, variable, why);
  }
  reach_free(&addresses);
  return !why;
}

// ---- accesses

// What the lanes at an access have in common: values that are not above a number.
enum { MOST_FACTS = 8, MOST_STEPS = 256, MOST_LOCAL_ID = 1023 };
struct facts {
  const struct graph *graph;
  const struct node *nodes[MOST_FACTS];
  uint64_t most[MOST_FACTS];
  unsigned count;
  unsigned steps;  // that were taken to find them, and what follows: values may be shared, so that all ways are many
};

static uint64_t most_of(struct facts *facts, const struct node *node);

static void add_facts(struct facts *facts, const struct node *condition, bool is_true) {
  if (condition->count != 2 || facts->steps++ > MOST_STEPS)
    return;
  const struct node *x = condition->arguments[0], *y = condition->arguments[1];
  if (condition->op == OP_AND && is_true) {
    add_facts(facts, x, true);
    add_facts(facts, y, true);
  } else if (condition->op == OP_XOR && condition->width == 1 && y->op == OP_CONSTANT && y->number == 1) {
    add_facts(facts, x, !is_true);
  } else if ((condition->op == OP_ULT || condition->op == OP_SLT) && facts->count < MOST_FACTS) {
    // x < 16, or not 15 < x; where no sign is, of signed values, too.
    const struct node *limit = is_true ? y : x, *value = is_true ? x : y;
    const uint64_t negative = 1ull << (limit->width - 1);
    if (limit->op != OP_CONSTANT || limit->number == 0 ||
        (condition->op == OP_SLT && (limit->number >= negative || most_of(facts, value) >= negative)))
      return;
    facts->nodes[facts->count] = value;
    facts->most[facts->count++] = is_true ? limit->number - 1 : limit->number;
  }
}

static uint64_t most_local_id(const struct graph *graph, unsigned dimension) {
  if (graph->group_size[0] != 0)
    return graph->group_size[dimension] - 1;
  const uint64_t most = ((uint64_t)graph->lanes << graph->slots_log2) - 1;
  return most < MOST_LOCAL_ID ? most : MOST_LOCAL_ID;
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
    case OP_LOCAL_ID:
      return most_local_id(facts->graph, (unsigned)node->number);
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
    case OP_OR:
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
  struct facts facts = {.graph = m->graph};
  add_facts(&facts, active, true);
  if (most_of(&facts, offset) < bytes)
    return active;
  struct node *is_inside = build_compare(b, OP_ULT, offset, make_constant(m, 32, bytes));
  struct node *is_outside = build_and(b, active, build_not(b, is_inside));
  struct node *lanes = build_slice(b, build_node(b, OP_BALLOT, 32, 0, 1, &is_outside), 0, m->graph->lanes);
  struct node *arguments[] = {lanes,
                              build_add(b, offset, array->is_local ? LOCAL_WINDOW + array->base : PRIVATE_WINDOW)};
  struct node *found = build_ordered(b, OP_CHECK, 0, CHECK_ADDRESS, 2, arguments);
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
  read->local_array = m->graph->arrays[a].is_local ? a + 1 : 0;
  list_add(reads, read);
  return read;
}

bool make_element(struct maker *m, LLVMValueRef instruction, struct node **result) {
  struct builder *b = &m->builder;
  struct graph *graph = m->graph;
  const bool is_load = LLVMIsALoadInst(instruction);
  // A local array is known when its address is, of which this may be the first use.
  LLVMValueRef pointer = LLVMGetOperand(instruction, is_load ? 0 : 1), base = table_base(pointer);
  if (base && LLVMIsAGlobalVariable(base))
    make_value(m, base);
  unsigned a = 0;
  while (a < graph->array_count && !reach_has(&m->accesses_of[a], instruction))
    a++;
  if (a == graph->array_count)
    return false;
  const struct array *array = &graph->arrays[a];
  struct node *offset = make_value(m, pointer);
  struct node *data = is_load ? NULL : make_value(m, LLVMGetOperand(instruction, 0));
  if (!offset || (!is_load && !data)) {
    make_refuse(m, instruction, "an array has values or places that pipelines do not have");
    *result = is_load ? make_constant(m, make_width_of(m, LLVMTypeOf(instruction)), 0) : NULL;
    return true;
  }
  struct node *inside = check(m, instruction, array, offset);
  struct node *index = bits_of(b, offset, array->bytes_log2, array->index_bits);
  if (is_load) {
    *result = build_slice(b, read_element(m, a, index), 0, make_width_of(m, LLVMTypeOf(instruction)));
  } else {
    struct node *arguments[] = {index, build_resize(b, data, array->width, false), inside};
    if (array->is_local) {
      struct node *store = build_ordered(b, OP_STORE, 0, 0, 3, arguments);
      store->local_array = a + 1;
      store->space = SPACE_LOCAL;
      store->bytes = array->width / 8;
    } else {
      build_ordered(b, OP_SET_ELEMENT, 0, a, 3, arguments);
    }
    m->reads_of[a] = (struct list){NULL, 0};
    *result = NULL;
  }
  return true;
}

void make_fence(struct maker *m) {
  for (unsigned a = 0; a < m->graph->array_count; a++)
    if (m->graph->arrays[a].is_local)
      m->reads_of[a] = (struct list){NULL, 0};
}

// ---- their order

static bool is_access(const struct node *node, const struct graph *graph, unsigned array) {
  if (graph->arrays[array].is_local)
    return node->local_array == array + 1;
  return (node->op == OP_ELEMENT || node->op == OP_SET_ELEMENT) && node->number == array;
}

// Behind it there is what other work-items have written.
static bool is_fence(const struct node *node, const struct graph *graph, unsigned array) {
  return graph->arrays[array].is_local && (node->op == OP_BARRIER || node->op == OP_CARRY || node->op == OP_TOTAL);
}

static bool touches(const struct region *r, const struct graph *graph, unsigned array) {
  for (unsigned i = 0; i < r->nodes.count; i++) {
    const struct node *node = r->nodes.items[i];
    if (is_access(node, graph, array) || is_fence(node, graph, array) ||
        (node->op == OP_LOOP && touches(node->loop, graph, array)))
      return true;
  }
  return false;
}

static void add_all(struct list *to, const struct list *from) {
  for (unsigned i = 0; i < from->count; i++)
    list_add(to, from->items[i]);
}

// A read is behind the last write, and a write behind it and the reads since. A loop counts as a write, and so does a
// barrier. These two are in their places already, and so are all accesses before them: segments end there.
static void order(const struct region *r, const struct graph *graph, unsigned array) {
  struct list reads = {NULL, 0}, writes = {NULL, 0};
  for (unsigned i = 0; i < r->nodes.count; i++) {
    struct node *node = r->nodes.items[i];
    const bool is_loop = node->op == OP_LOOP && touches(node->loop, graph, array);
    const bool is_placed = is_loop || is_fence(node, graph, array);
    if (is_loop)
      order(node->loop, graph, array);
    if (!is_placed && !is_access(node, graph, array))
      continue;
    if (node->op == OP_ELEMENT) {
      add_all(&node->after, &writes);
      list_add(&reads, node);
      continue;
    }
    if (!is_placed) {
      // Stores of a memory group keep their order by themselves.
      if (node->op != OP_STORE)
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
      if (!node->wanted || !is_access(node, graph, a))
        continue;
      if (node->op == OP_ELEMENT)
        node->port = array->readers++;
      else if (!array->is_local)
        node->port = array->writers++;
    }
    order(graph->top, graph, a);
  }
}
