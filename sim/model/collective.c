// SPDX-License-Identifier: Apache-2.0
// What a collective computes: reductions and scans in order of increasing id (sums of floats: in the order that
// rtl/group/README.md writes down), broadcast, all, any, barrier, shuffle, ballot. One code for both scopes: a
// sub-group is a work-group of one sub-group; and for active sets: a sub-group in which nobody else is live.
#include <string.h>

#include "contract/collectives.h"
#include "sim/model/device.h"
#include "sim/model/float_word.h"

enum { WIDE = 0x80, WIDE_UNSIGNED = 0x20, WIDE_SECOND = 0x40 };

// The fields of funct7, as decode.c leaves it; not of a word of 64 bits.
static uint32_t mode_of(const struct model_op *o) {
  return (o->imm >> 2) & 7;
}

static uint32_t type_of(const struct model_op *o) {
  return o->imm >> 5;
}

static enum heddle_collective_operator operator_of(const struct model_op *o) {
  static const uint8_t of_bits[4] = {HEDDLE_OP_AND, HEDDLE_OP_OR, HEDDLE_OP_XOR};
  return (enum heddle_collective_operator)(type_of(o) == HEDDLE_TYPE_BITS ? of_bits[o->imm & 3] : o->imm & 3);
}

static uint32_t identity(enum heddle_collective_operator op, uint32_t type) {
  if (type == HEDDLE_TYPE_FLOAT)
    return op == HEDDLE_OP_MIN ? 0x7F800000 : 0xFF800000;  // the infinities
  switch (op) {
    case HEDDLE_OP_MIN:
      return type == HEDDLE_TYPE_INT ? INT32_MAX : UINT32_MAX;
    case HEDDLE_OP_MAX:
      return type == HEDDLE_TYPE_INT ? 0x80000000u : 0;
    case HEDDLE_OP_AND:
      return UINT32_MAX;
    default:
      return 0;
  }
}

static bool is_nan(uint32_t word) {
  return (word & 0x7FFFFFFF) > 0x7F800000;
}

// Neither is a NaN. -0 is less than +0.
static bool float_less(uint32_t a, uint32_t b) {
  bool a_negative = a >> 31, b_negative = b >> 31;
  return a_negative != b_negative ? a_negative : a_negative ? a > b : a < b;
}

static uint32_t combine(enum heddle_collective_operator op, uint32_t type, uint32_t a, uint32_t b) {
  switch (op) {
    case HEDDLE_OP_ADD:
      return a + b;
    case HEDDLE_OP_AND:
      return a & b;
    case HEDDLE_OP_OR:
      return a | b;
    case HEDDLE_OP_XOR:
      return a ^ b;
    default: {
      bool less = type == HEDDLE_TYPE_FLOAT ? float_less(a, b)
                  : type == HEDDLE_TYPE_INT ? (int32_t)a < (int32_t)b
                                            : a < b;
      return less == (op == HEDDLE_OP_MIN) ? a : b;
    }
  }
}

// Gives every live lane `value`.
static void give_all(struct model_sub_group *g, uint32_t count, uint32_t size, uint32_t rd, uint32_t value) {
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t l = 0; l < size; l++)
      if (g[i].live >> l & 1)
        g[i].x[rd * size + l] = value;
  }
}

static void scan(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *o) {
  const enum heddle_collective_operator op = operator_of(o);
  uint32_t mode = mode_of(o), type = type_of(o);
  uint32_t sum = identity(op, type);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t *in = g[i].x + o->rs1 * size;
    uint32_t *out = g[i].x + o->rd * size;
    for (uint32_t l = 0; l < size; l++) {
      if (g[i].live >> l & 1) {
        uint32_t before = sum;
        if (type != HEDDLE_TYPE_FLOAT || !is_nan(in[l]))
          sum = combine(op, type, sum, in[l]);
        if (mode != HEDDLE_MODE_REDUCE)
          out[l] = mode == HEDDLE_MODE_INCLUSIVE ? sum : before;
      }
    }
  }
  if (mode == HEDDLE_MODE_REDUCE)
    give_all(g, count, size, o->rd, sum);
}

// The sum of a block of lanes: that of its lower half and that of its upper half.
static float block_sum(const float *value, uint32_t lanes) {
  return lanes == 1 ? *value : block_sum(value, lanes / 2) + block_sum(value + lanes / 2, lanes / 2);
}

static uint32_t canonical(float x) {
  return is_nan(word_of(x)) ? 0x7FC00000 : word_of(x);
}

static uint32_t float_prefix(const float *value, uint32_t lane) {
  float sum = value[lane];
  uint32_t first = lane;
  for (uint32_t block = 1; block <= lane; block *= 2) {
    if (lane & block) {
      first -= block;
      sum = block_sum(value + first, block) + sum;
    }
  }
  return canonical(sum);
}

// Of each sub-group, and the totals of the sub-groups in order of their ids. -0 is the sum of nothing.
static void float_sum(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *o) {
  const uint32_t mode = mode_of(o);
  float carry = -0.0f;
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    float value[MODEL_MAX_LANES] = {0};
    for (uint32_t l = 0; l < size; l++)
      value[l] = g[i].live >> l & 1 ? float_of(g[i].x[o->rs1 * size + l]) : -0.0f;
    float before = any ? -0.0f : 0.0f;
    for (uint32_t l = 0; mode != HEDDLE_MODE_REDUCE && l < size; l++) {
      if (g[i].live >> l & 1) {
        const float sum = float_of(float_prefix(value, l));
        g[i].x[o->rd * size + l] = canonical(carry + (mode == HEDDLE_MODE_INCLUSIVE ? sum : before));
        before = sum;
      }
    }
    if (g[i].live != 0) {
      carry += float_of(float_prefix(value, size - 1));
      any = true;
    }
  }
  if (mode == HEDDLE_MODE_REDUCE)
    give_all(g, count, size, o->rd, canonical(carry));
}

static uint64_t wide_identity(uint32_t op, bool is_unsigned) {
  switch (op) {
    case HEDDLE_OP_MIN:
      return is_unsigned ? UINT64_MAX : INT64_MAX;
    case HEDDLE_OP_MAX:
      return is_unsigned ? 0 : (uint64_t)INT64_MIN;
    default:
      return 0;
  }
}

static uint64_t wide_combine(uint32_t op, bool is_unsigned, uint64_t a, uint64_t b) {
  if (op == HEDDLE_OP_ADD)
    return a + b;
  bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
  return less == (op == HEDDLE_OP_MIN) ? a : b;
}

// A word of a reduction or scan of 64 bits among the live lanes: first the one that no other decides about, the lower
// of a sum and the upper of a minimum or maximum; then the other, which needs what the first instruction's operands
// were.
static void wide_scan(struct model_sub_group *g, uint32_t size, const struct model_op *o) {
  uint32_t op = o->imm & 3, mode = mode_of(o);
  bool is_unsigned = o->imm & WIDE_UNSIGNED, second = o->imm & WIDE_SECOND;
  bool low_now = (op == HEDDLE_OP_ADD) != second;
  uint64_t sum = wide_identity(op, is_unsigned), before;
  uint32_t operand[MODEL_MAX_LANES];
  memcpy(operand, g->x + o->rs1 * size, size * sizeof *operand);
  for (uint32_t l = 0; l < size; l++) {
    if (g->live >> l & 1) {
      uint32_t other = second ? g->first_word[l] : 0;
      uint64_t value = low_now ? (uint64_t)other << 32 | operand[l] : (uint64_t)operand[l] << 32 | other;
      before = sum;
      sum = wide_combine(op, is_unsigned, sum, value);
      uint64_t result = mode == HEDDLE_MODE_EXCLUSIVE ? before : sum;
      g->x[o->rd * size + l] = (uint32_t)(low_now ? result : result >> 32);
    }
  }
  if (mode == HEDDLE_MODE_REDUCE)
    give_all(g, 1, size, o->rd, (uint32_t)(low_now ? sum : sum >> 32));
  if (!second)
    memcpy(g->first_word, operand, size * sizeof *operand);
}

static void vote(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *o) {
  bool all = true, any = false;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t l = 0; l < size; l++) {
      if (g[i].live >> l & 1) {
        bool predicate = g[i].x[o->rs1 * size + l] != 0;
        all = all && predicate;
        any = any || predicate;
      }
    }
  }
  give_all(g, count, size, o->rd, mode_of(o) == HEDDLE_MODE_ALL ? all : any);
}

// OpenCL wants the source id to be the same in every work-item; where it is not, the first live work-item's counts.
static void broadcast(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *o) {
  uint32_t first = 0;
  while (first < count && g[first].live == 0)
    first++;
  if (first == count)
    return;
  uint32_t source = g[first].x[o->rs2 * size + (uint32_t)__builtin_ctz(g[first].live)];
  uint32_t i = source / size, l = source % size;
  bool live = i < count && (g[i].live >> l & 1);
  give_all(g, count, size, o->rd, live ? g[i].x[o->rs1 * size + l] : 0);
}

void model_collective(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *op) {
  if (op->imm & WIDE) {
    wide_scan(g, size, op);
    return;
  }
  if (mode_of(op) <= HEDDLE_MODE_EXCLUSIVE && type_of(op) == HEDDLE_TYPE_FLOAT && operator_of(op) == HEDDLE_OP_ADD) {
    float_sum(g, count, size, op);
    return;
  }
  switch (mode_of(op)) {
    case HEDDLE_MODE_REDUCE:
    case HEDDLE_MODE_INCLUSIVE:
    case HEDDLE_MODE_EXCLUSIVE:
      scan(g, count, size, op);
      break;
    case HEDDLE_MODE_BROADCAST:
      broadcast(g, count, size, op);
      break;
    case HEDDLE_MODE_ALL:
    case HEDDLE_MODE_ANY:
      vote(g, count, size, op);
      break;
    default:  // BARRIER: memory is in order already
      break;
  }
}

static void shuffle(struct model_sub_group *g, uint32_t active, uint32_t size, const struct model_op *o) {
  uint32_t word[MODEL_MAX_LANES], from[MODEL_MAX_LANES];
  memcpy(word, g->x + o->rs1 * size, size * sizeof *word);
  memcpy(from, g->x + o->rs2 * size, size * sizeof *from);
  for (uint32_t l = 0; l < size; l++) {
    uint32_t source = from[l] % 32;
    if (active >> l & 1)
      g->x[o->rd * size + l] = source < size && (active >> source & 1) ? word[source] : 0;
  }
}

static void ballot(struct model_sub_group *g, uint32_t active, uint32_t size, const struct model_op *o) {
  uint32_t set = 0;
  for (uint32_t l = 0; l < size; l++)
    set |= (uint32_t)((active >> l & 1) != 0 && g->x[o->rs1 * size + l] != 0) << l;
  give_all(g, 1, size, o->rd, set);
}

void model_active_collective(struct model_sub_group *g, uint32_t active, uint32_t size, const struct model_op *op) {
  const uint32_t live = g->live;
  g->live = active;
  switch (op->imm & WIDE ? HEDDLE_MODE_REDUCE : mode_of(op)) {
    case HEDDLE_MODE_SHUFFLE:
      shuffle(g, active, size, op);
      break;
    case HEDDLE_MODE_BALLOT:
      ballot(g, active, size, op);
      break;
    default:
      model_collective(g, 1, size, op);
      break;
  }
  g->live = live;
}
