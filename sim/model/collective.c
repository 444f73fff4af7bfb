// SPDX-License-Identifier: Apache-2.0
// What a collective computes: reductions and scans in order of increasing id, broadcast, all, any, barrier, shuffle,
// ballot. One code for both scopes: a sub-group is a work-group of one sub-group; and for active sets: a sub-group in
// which nobody else is live.
#include <string.h>

#include "sim/model/device.h"

enum { ADD, MIN, MAX };
enum { REDUCE, SCAN_INCLUSIVE, SCAN_EXCLUSIVE, BROADCAST, ALL, ANY, BARRIER, SHUFFLE = 6, BALLOT };
enum { TYPE_INT, TYPE_UINT, TYPE_FLOAT };

static uint32_t identity(uint32_t op, uint32_t type) {
  if (type == TYPE_FLOAT) {
    return op == MIN ? 0x7F800000 : 0xFF800000;  // the infinities
  }
  switch (op) {
    case MIN:
      return type == TYPE_INT ? INT32_MAX : UINT32_MAX;
    case MAX:
      return type == TYPE_INT ? 0x80000000u : 0;
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

static uint32_t combine(uint32_t op, uint32_t type, uint32_t a, uint32_t b) {
  if (op == ADD) {
    return a + b;
  }
  bool less = type == TYPE_FLOAT ? float_less(a, b) : type == TYPE_INT ? (int32_t)a < (int32_t)b : a < b;
  return less == (op == MIN) ? a : b;
}

// Gives every live lane `value`.
static void give_all(struct model_sub_group *g, uint32_t count, uint32_t size, uint32_t rd, uint32_t value) {
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t l = 0; l < size; l++) {
      if (g[i].live >> l & 1) {
        g[i].x[rd * size + l] = value;
      }
    }
  }
}

static void scan(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *o) {
  uint32_t op = o->imm & 3, mode = (o->imm >> 2) & 7, type = o->imm >> 5;
  uint32_t sum = identity(op, type);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t *in = g[i].x + o->rs1 * size;
    uint32_t *out = g[i].x + o->rd * size;
    for (uint32_t l = 0; l < size; l++) {
      if (g[i].live >> l & 1) {
        uint32_t before = sum;
        if (type != TYPE_FLOAT || !is_nan(in[l])) {
          sum = combine(op, type, sum, in[l]);
        }
        if (mode != REDUCE) {
          out[l] = mode == SCAN_INCLUSIVE ? sum : before;
        }
      }
    }
  }
  if (mode == REDUCE) {
    give_all(g, count, size, o->rd, sum);
  }
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
  give_all(g, count, size, o->rd, ((o->imm >> 2) & 7) == ALL ? all : any);
}

// OpenCL wants the source id to be the same in every work-item; where it is not, the first live work-item's counts.
static void broadcast(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *o) {
  uint32_t first = 0;
  while (first < count && g[first].live == 0) {
    first++;
  }
  if (first == count) {
    return;
  }
  uint32_t source = g[first].x[o->rs2 * size + (uint32_t)__builtin_ctz(g[first].live)];
  uint32_t i = source / size, l = source % size;
  bool live = i < count && (g[i].live >> l & 1);
  give_all(g, count, size, o->rd, live ? g[i].x[o->rs1 * size + l] : 0);
}

void model_collective(struct model_sub_group *g, uint32_t count, uint32_t size, const struct model_op *op) {
  switch ((op->imm >> 2) & 7) {
    case REDUCE:
    case SCAN_INCLUSIVE:
    case SCAN_EXCLUSIVE:
      scan(g, count, size, op);
      break;
    case BROADCAST:
      broadcast(g, count, size, op);
      break;
    case ALL:
    case ANY:
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
    if (active >> l & 1) {
      g->x[o->rd * size + l] = source < size && (active >> source & 1) ? word[source] : 0;
    }
  }
}

static void ballot(struct model_sub_group *g, uint32_t active, uint32_t size, const struct model_op *o) {
  uint32_t set = 0;
  for (uint32_t l = 0; l < size; l++) {
    set |= (uint32_t)((active >> l & 1) != 0 && g->x[o->rs1 * size + l] != 0) << l;
  }
  give_all(g, 1, size, o->rd, set);
}

void model_active_collective(struct model_sub_group *g, uint32_t active, uint32_t size, const struct model_op *op) {
  const uint32_t live = g->live;
  g->live = active;
  switch ((op->imm >> 2) & 7) {
    case SHUFFLE:
      shuffle(g, active, size, op);
      break;
    case BALLOT:
      ballot(g, active, size, op);
      break;
    default:
      model_collective(g, 1, size, op);
      break;
  }
  g->live = live;
}
