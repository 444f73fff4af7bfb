// SPDX-License-Identifier: Apache-2.0
// What calls of OpenCL's primitives and LLVM's intrinsics are in a graph. Called by instructions.c for each call that
// is left in a kernel.
#include "hls/pipeline/calls.h"

#include <stdlib.h>
#include <string.h>

static struct node *constant(struct builder *b, unsigned width, uint64_t number) {
  return build_constant(b->graph, width, number);
}

struct node *call_word(struct builder *b, unsigned word, unsigned low, unsigned width) {
  struct graph *graph = b->graph;
  if (word != PACKET_ADDRESS && word + 1 > graph->words)
    graph->words = word + 1;
  struct region *region = b->region;
  b->region = graph->top;
  struct node *node = build_node(b, OP_WORD, 32, word, 0, NULL);
  b->region = region;
  return build_slice(b, node, low, width);
}

// ---- identity

static struct node *identity(struct builder *b, enum op op, unsigned width, unsigned dimension) {
  struct region *region = b->region;
  b->region = b->graph->top;
  struct node *node = build_node(b, op, width, dimension, 0, NULL);
  b->region = region;
  return build_resize(b, node, 32, false);
}

static struct node *lane(struct builder *b) {
  return build_node(b, OP_LANE, 32, 0, 0, NULL);
}

// In the order in which the kernel's calls of printf are met, from 1.
static unsigned layout_number(struct graph *graph, unsigned layout) {
  unsigned i = 0;
  while (i < graph->layout_count && graph->layouts[i] != layout)
    i++;
  if (i == graph->layout_count) {
    graph->layouts = realloc(graph->layouts, (i + 1) * sizeof *graph->layouts);
    if (!graph->layouts)
      abort();
    graph->layouts[graph->layout_count++] = layout;
  }
  return i + 1;
}

static struct node *work_item(struct builder *b, const struct primitive *p) {
  const unsigned d = p->dimension, slot_bits = b->graph->slots_log2;
  switch (p->meaning) {
    case PRIMITIVE_GLOBAL_ID:
      return build_two(b, OP_ADD, identity(b, OP_GROUP_BASE, 32, d), identity(b, OP_LOCAL_ID, 10, d));
    case PRIMITIVE_LOCAL_ID:
      return identity(b, OP_LOCAL_ID, 10, d);
    case PRIMITIVE_SUB_GROUP_LOCAL_ID:
      return lane(b);
    case PRIMITIVE_GROUP_ID:
      return identity(b, OP_GROUP_ID, 32, d);
    case PRIMITIVE_LOCAL_SIZE:
      return identity(b, OP_GROUP_SIZE, 11, d);
    case PRIMITIVE_SUB_GROUP_ID:
      return identity(b, OP_SUB_GROUP, slot_bits, 0);
    case PRIMITIVE_SUB_GROUP_SIZE:
      return identity(b, OP_SUB_GROUP_SIZE, 6, 0);
    case PRIMITIVE_NUM_SUB_GROUPS:
      return build_add(b, identity(b, OP_LAST_SUB_GROUP, slot_bits, 0), 1);
    case PRIMITIVE_ARGUMENT_WORD:
      return call_word(b, graph_argument_word(p->offset), 0, 32);
    case PRIMITIVE_PRINTF_LAYOUT:
      return constant(b, 32, layout_number(b->graph, p->layout));
    case PRIMITIVE_WORK_DIM:
    case PRIMITIVE_GLOBAL_SIZE:
    case PRIMITIVE_GLOBAL_OFFSET:
    case PRIMITIVE_ENQUEUED_LOCAL_SIZE:
    case PRIMITIVE_NUM_GROUPS:
    case PRIMITIVE_ENQUEUED_NUM_SUB_GROUPS:
    case PRIMITIVE_MAX_SUB_GROUP_SIZE:
    case PRIMITIVE_PRINTF_BUFFER:
      return call_word(b, p->packet_word, 0, 32);
    default:
      return NULL;
  }
}

// ---- collectives

uint64_t call_identity(unsigned operator, unsigned width) {
  switch (operator) {
    case LANE_MIN:
      return (1ull << (width - 1)) - 1;
    case LANE_MAX:
      return 1ull << (width - 1);
    case LANE_UMIN:
    case LANE_AND:
      return width < 64 ? (1ull << width) - 1 : ~0ull;
    default:
      return 0;
  }
}

struct node *call_float_order(struct builder *b, struct node *x) {
  struct node *sign = build_slice(b, x, 31, 1);
  struct node *flip = build_resize(b, sign, 32, true);
  return build_two(b, OP_XOR, x, build_two(b, OP_LSHR, flip, constant(b, 32, 1)));
}

// Across the lanes of a sub-group: inclusive scan of those that are active, with the identity for the others.
static struct node *scan(struct builder *b, unsigned operator, struct node *value, struct node *active) {
  return build_ordered(b, OP_SCAN, value->width, operator, 2, (struct node *[]){value, active});
}

static struct node *combine(struct builder *b, unsigned operator, struct node *x, struct node *y) {
  static const enum op ops[] = {OP_ADD, OP_SLT, OP_SLT, OP_ULT, OP_ULT, OP_AND, OP_OR, OP_XOR};
  if (operator == LANE_ADD || operator >= LANE_AND)
    return build_two(b, ops[operator], x, y);
  struct node *less = build_compare(b, ops[operator], x, y);
  const bool max = operator == LANE_MAX || operator == LANE_UMAX;
  return build_select(b, less, max ? y : x, max ? x : y);
}

static struct node *last(struct builder *b, struct node *x) {
  return build_node(b, OP_LAST, x->width, 0, 1, &x);
}

static struct node *below(struct builder *b, struct node *x, uint64_t first) {
  return build_node(b, OP_BELOW, x->width, 0, 2, (struct node *[]){x, constant(b, x->width, first)});
}

static struct node *group_wide(struct builder *b, enum op op, unsigned operator, struct node *total) {
  return build_ordered(b, op, 32, operator, 1, &total);
}

static unsigned lane_operator(enum heddle_collective_operator operation, bool is_unsigned) {
  switch (operation) {
    case HEDDLE_OP_MIN:
      return is_unsigned ? LANE_UMIN : LANE_MIN;
    case HEDDLE_OP_MAX:
      return is_unsigned ? LANE_UMAX : LANE_MAX;
    case HEDDLE_OP_AND:
      return LANE_AND;
    case HEDDLE_OP_OR:
      return LANE_OR;
    case HEDDLE_OP_XOR:
      return LANE_XOR;
    default:
      return LANE_ADD;
  }
}

// A reduction or scan of integers. `first`: what the first work-item of an exclusive scan gets.
static struct node *reduction(struct builder *b, const struct primitive *p, unsigned operator, struct node *value,
                              struct node *active, uint64_t first) {
  const bool group = p->scope == PRIMITIVE_WORK_GROUP, reduces = p->meaning == PRIMITIVE_REDUCE;
  const bool exclusive = p->meaning == PRIMITIVE_SCAN_EXCLUSIVE;
  struct node *inclusive = scan(b, operator, value, active);
  struct node *own = reduces ? last(b, inclusive) : exclusive ? below(b, inclusive, first) : inclusive;
  if (!group)
    return own;
  struct node *total = last(b, inclusive);
  if (reduces)
    return group_wide(b, OP_TOTAL, operator, total);
  struct node *carry = group_wide(b, OP_CARRY, operator, total);
  return combine(b, operator, carry, exclusive ? below(b, inclusive, call_identity(operator, 32)) : own);
}

static struct node *truth(struct builder *b, struct node *x) {
  return build_not(b, build_compare(b, OP_EQ, x, constant(b, x->width, 0)));
}

static struct node *all_or_any(struct builder *b, const struct primitive *p, struct node *value, struct node *active) {
  const unsigned operator = p->meaning == PRIMITIVE_ALL ? LANE_AND : LANE_OR;
  struct node *total = last(b, scan(b, operator, build_resize(b, truth(b, value), 32, true), active));
  if (p->scope == PRIMITIVE_WORK_GROUP)
    total = group_wide(b, OP_TOTAL, operator, total);
  return build_resize(b, build_slice(b, total, 0, 1), 32, false);
}

// The work-item that is named brings its value, the others 0.
static struct node *broadcast(struct builder *b, const struct primitive *p, struct node *value, struct node *source,
                              struct node *active) {
  const bool group = p->scope == PRIMITIVE_WORK_GROUP;
  struct node *own = lane(b);
  if (group)
    own = build_two(b, OP_ADD,
                    build_two(b, OP_MUL, identity(b, OP_SUB_GROUP, b->graph->slots_log2, 0), call_word(b, 14, 0, 32)),
                    own);
  struct node *named = build_select(b, build_compare(b, OP_EQ, own, source), value, constant(b, value->width, 0));
  struct node *total = last(b, scan(b, LANE_OR, named, active));
  return group ? group_wide(b, OP_TOTAL, LANE_OR, total) : total;
}

// An exclusive sum of floats: what the next lower live lane has of the inclusive one, +0 where there is none. Lanes
// without a work-item are the highest; others may have returned, and -0 would come from them.
static struct node *float_sum_below(struct builder *b, struct node *inclusive, struct node *active) {
  struct node *lower = below(b, inclusive, 0);
  if (active == b->graph->top->mask)
    return lower;
  struct node *somebody = below(b, scan(b, LANE_OR, active, active), 0);
  return build_select(b, somebody, lower, constant(b, 32, 0));
}

static struct node *of_floats(struct builder *b, const struct primitive *p, struct node *value, struct node *active) {
  if (p->operation == HEDDLE_OP_ADD) {
    if (p->scope == PRIMITIVE_WORK_GROUP)
      return NULL;
    struct node *inclusive = build_ordered(b, OP_FSCAN, 32, 0, 2, (struct node *[]){value, active});
    if (p->meaning == PRIMITIVE_REDUCE)
      return last(b, inclusive);
    return p->meaning == PRIMITIVE_SCAN_EXCLUSIVE ? float_sum_below(b, inclusive, active) : inclusive;
  }
  // As ints of their order. A NaN contributes nothing: it brings the identity, an infinity.
  const bool min = p->operation == HEDDLE_OP_MIN;
  struct node *infinity = constant(b, 32, min ? 0x7F800000 : 0xFF800000);
  struct node *number = build_select(b, build_node(b, OP_NAN, 1, 0, 1, &value), infinity, value);
  struct node *mapped = call_float_order(b, build_select(b, active, number, infinity));
  const uint32_t first = min ? 0x7F800000 : 0x807FFFFF;
  const unsigned operator = min ? LANE_MIN : LANE_MAX;
  struct node *result = reduction(b, p, operator, mapped, constant(b, 1, 1), first);
  // Where nobody brings anything the tree's own identity is beyond the infinity.
  if (p->scope == PRIMITIVE_WORK_GROUP)
    result = combine(b, operator, result, constant(b, 32, first));
  return call_float_order(b, result);
}

static struct node *collective(struct builder *b, const struct primitive *p, struct node *value, struct node *source,
                               struct node *active) {
  switch (p->meaning) {
    case PRIMITIVE_BARRIER:
      if (p->scope == PRIMITIVE_WORK_GROUP)
        build_ordered(b, OP_BARRIER, 0, 0, 0, NULL);
      return constant(b, 32, 0);
    case PRIMITIVE_ALL:
    case PRIMITIVE_ANY:
      return all_or_any(b, p, value, active);
    case PRIMITIVE_BROADCAST:
      return broadcast(b, p, value, source, active);
    case PRIMITIVE_SHUFFLE:
      return build_ordered(b, OP_SHUFFLE, value->width, 0, 3, (struct node *[]){value, source, active});
    case PRIMITIVE_BALLOT:
      return build_ordered(b, OP_BALLOT, 32, 0, 1, (struct node *[]){build_and(b, truth(b, value), active)});
    case PRIMITIVE_REDUCE:
    case PRIMITIVE_SCAN_INCLUSIVE:
    case PRIMITIVE_SCAN_EXCLUSIVE: {
      if (p->type == PRIMITIVE_FLOAT)
        return of_floats(b, p, value, active);
      const bool is_unsigned = p->type == PRIMITIVE_UINT || p->type == PRIMITIVE_ULONG;
      if (p->scope == PRIMITIVE_WORK_GROUP && value->width != 32)
        return NULL;
      const unsigned operator = lane_operator(p->operation, is_unsigned);
      return reduction(b, p, operator, value, active, call_identity(operator, value->width));
    }
    default:
      return NULL;
  }
}

static struct node *conversion(struct builder *b, const struct primitive *p, struct node *value) {
  switch (p->meaning) {
    case PRIMITIVE_FLOAT_OF_INT:
      return build_node(b, OP_FROM_INT, 32, p->rounding, 1, &value);
    case PRIMITIVE_FLOAT_OF_UINT:
      return build_node(b, OP_FROM_UINT, 32, p->rounding, 1, &value);
    case PRIMITIVE_INT_OF_FLOAT:
      return build_node(b, OP_TO_INT, 32, p->rounding, 1, &value);
    case PRIMITIVE_UINT_OF_FLOAT:
      return build_node(b, OP_TO_UINT, 32, p->rounding, 1, &value);
    default:
      return NULL;
  }
}

// ---- a call

struct node *call_primitive(struct builder *b, const struct primitive *primitive, struct node *value,
                            struct node *source, struct node *active) {
  struct node *node = work_item(b, primitive);
  if (!node && value)
    node = conversion(b, primitive, value);
  if (!node && (value || primitive->meaning == PRIMITIVE_BARRIER))
    node = collective(b, primitive, value, source, active);
  return node;
}
