// SPDX-License-Identifier: Apache-2.0
// Accesses of arrays that have memories of their own (arrays.c), and their order. An access of a private one, and a
// load of a local one, is an operation of a segment like any other, and takes part in no queue; stores of a local array
// are memory groups of their own.
#include "hls/pipeline/ivdep.h"
#include "hls/pipeline/maker.h"
#include "hls/pipeline/tables.h"
#include "hls/shift_registers.h"

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
  struct node *arguments[] = {
      lanes, build_add(b, offset, array->has_local_address ? LOCAL_WINDOW + array->base : PRIVATE_WINDOW)};
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
static struct node *read_element(struct maker *m, unsigned a, struct node *index, LLVMValueRef instruction) {
  struct list *reads = &m->reads_of[a];
  for (unsigned i = 0; i < reads->count; i++)
    if (reads->items[i]->arguments[0] == index && reads->items[i]->region == m->builder.region) {
      reads->items[i]->ivdep &= ivdep_loops(instruction);
      reads->items[i]->distance = 0;
      return reads->items[i];
    }
  struct node *read = build_ordered(&m->builder, OP_ELEMENT, m->graph->arrays[a].width, a, 1, &index);
  read->local_array = m->graph->arrays[a].is_local ? a + 1 : 0;
  read->ivdep = ivdep_loops(instruction);
  read->distance = shift_registers_distance(instruction);
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
    *result = build_slice(b, read_element(m, a, index, instruction), 0, make_width_of(m, LLVMTypeOf(instruction)));
  } else {
    struct node *arguments[] = {index, build_resize(b, data, array->width, false), inside};
    if (array->is_local) {
      struct node *store = build_ordered(b, OP_STORE, 0, 0, 3, arguments);
      store->local_array = a + 1;
      store->space = SPACE_LOCAL;
      store->bytes = array->width / 8;
    } else {
      struct node *set = build_ordered(b, OP_SET_ELEMENT, 0, a, 3, arguments);
      set->ivdep = ivdep_loops(instruction);
      set->distance = shift_registers_distance(instruction);
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
  return graph_is_element(node) && node->number == array;
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

static void number_ports(struct graph *graph, unsigned a) {
  struct array *array = &graph->arrays[a];
  struct port_counts counts = graph_port_counts(graph);
  for (unsigned i = 0; i < graph->node_count; i++) {
    struct node *node = graph->nodes[i];
    if (node->wanted && is_access(node, graph, a) && (node->op == OP_ELEMENT || !array->is_local))
      node->port = graph_next_port(graph, array, &counts, node->region, node->op == OP_ELEMENT);
  }
}

void graph_order_arrays(struct graph *graph) {
  for (unsigned a = 0; a < graph->array_count; a++) {
    struct array *array = &graph->arrays[a];
    array->readers = array->writers = 0;
    number_ports(graph, a);
    order(graph->top, graph, a);
  }
}
