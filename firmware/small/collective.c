// SPDX-License-Identifier: Apache-2.0
// What collectives give that the core leaves to us: those of 64 bits, bitwise ones, shuffles, and broadcasts of
// work-groups (contract/DEVICE.md, custom-0). Lanes' registers are memory here.
#include "contract/collectives.h"
#include "firmware/small/small.h"

struct fields {
  uint32_t rd, rs1, rs2, scope, op, mode, type;  // op: two bits of an enum heddle_collective_operator
};

static struct fields fields_of(uint32_t i) {
  return (struct fields){.rd = i >> 7 & 31,
                         .rs1 = i >> 15 & 31,
                         .rs2 = i >> 20 & 31,
                         .scope = i >> 12 & 7,
                         .op = i >> 25 & 3,
                         .mode = i >> 27 & 7,
                         .type = i >> 30};
}

// Of each instruction that comes here, so without taking all fields apart.
bool collective_is_legal(uint32_t instruction) {
  const uint32_t scope = instruction >> 12 & 7, function = instruction >> 25, mode = function >> 2 & 7;
  const bool plain = (function & 0x63) == 0, no_registers = (instruction & 0x01FF8F80) == 0;
  if (scope == HEDDLE_SCOPE_CONTROL || scope == 5 || scope == 7)
    return false;
  if (mode <= HEDDLE_MODE_EXCLUSIVE)
    return (function & 3) != 3 && (scope >= HEDDLE_SCOPE_WIDE || function >> 5 != HEDDLE_TYPE_FLOAT);
  if (scope >= HEDDLE_SCOPE_WIDE || !plain)
    return false;
  if (scope == HEDDLE_SCOPE_ACTIVE)
    return mode != HEDDLE_MODE_BROADCAST;
  return mode < HEDDLE_MODE_BARRIER || (mode == HEDDLE_MODE_BARRIER && no_registers);
}

bool collective_is_ours(uint32_t instruction) {
  const struct fields f = fields_of(instruction);
  return f.mode == HEDDLE_MODE_BROADCAST || f.type == HEDDLE_TYPE_BITS;
}

static uint32_t value_of(uint32_t slot, uint32_t lane, uint32_t number) {
  return number == 0 ? 0 : registers_of(slot, lane)[number];
}

static void give(uint32_t slot, uint32_t lane, uint32_t number, uint32_t value) {
  if (number != 0)
    registers_of(slot, lane)[number] = value;
}

static bool less(uint32_t a, uint32_t b, bool is_unsigned) {
  return is_unsigned ? a < b : (int32_t)a < (int32_t)b;
}

struct lanes {
  struct work_group *group;
  uint32_t first, count, active;
};

static uint32_t active_of(const struct lanes *l, uint32_t slot) {
  return l->count == 1 ? l->active : l->group->sub_groups[slot].live;
}

static void give_all(const struct lanes *l, uint32_t number, uint32_t value) {
  for (uint32_t slot = l->first; slot < l->first + l->count; slot++)
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (active_of(l, slot) >> lane & 1)
        give(slot, lane, number, value);
}

// A word of 64 bits. Of sums the lower word comes first, of the others the upper.
static void wide_scan(const struct lanes *l, const struct fields *f) {
  struct sub_group *g = &l->group->sub_groups[l->first];
  const bool is_unsigned = f->type & 1, second = f->type & 2, low_now = (f->op == HEDDLE_OP_ADD) != second;
  const uint32_t least = is_unsigned ? 0 : 0x80000000u;
  uint32_t low = f->op == HEDDLE_OP_ADD || f->op == HEDDLE_OP_MAX ? 0 : UINT32_MAX, high = f->op == HEDDLE_OP_ADD ? 0
                                                                                           : f->op == HEDDLE_OP_MAX
                                                                                               ? least
                                                                                               : ~least;
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (l->active >> lane & 1) {
      const uint32_t before = low_now ? low : high, operand = value_of(l->first, lane, f->rs1),
                     other = second ? g->first_word[lane] : 0;
      const uint32_t value_low = low_now ? operand : other, value_high = low_now ? other : operand;
      if (f->op == HEDDLE_OP_ADD) {
        low += value_low;
        high += value_high + (low < value_low);
      } else {
        const bool smaller = value_high == high ? value_low < low : less(value_high, high, is_unsigned);
        if (smaller == (f->op == HEDDLE_OP_MIN)) {
          low = value_low;
          high = value_high;
        }
      }
      if (!second)
        g->first_word[lane] = operand;
      if (f->mode != HEDDLE_MODE_REDUCE)
        give(l->first, lane, f->rd, f->mode == HEDDLE_MODE_EXCLUSIVE ? before : low_now ? low : high);
    }
  if (f->mode == HEDDLE_MODE_REDUCE)
    give_all(l, f->rd, low_now ? low : high);
}

// Bitwise, of a sub-group or a work-group.
static void bits_scan(const struct lanes *l, const struct fields *f) {
  uint32_t so_far = f->op == (HEDDLE_OP_AND & 3) ? UINT32_MAX : 0;
  for (uint32_t slot = l->first; slot < l->first + l->count; slot++)
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (active_of(l, slot) >> lane & 1) {
        const uint32_t before = so_far, operand = value_of(slot, lane, f->rs1);
        if (f->op == (HEDDLE_OP_AND & 3))
          so_far &= operand;
        else
          so_far = f->op == (HEDDLE_OP_OR & 3) ? so_far | operand : so_far ^ operand;
        if (f->mode != HEDDLE_MODE_REDUCE)
          give(slot, lane, f->rd, f->mode == HEDDLE_MODE_EXCLUSIVE ? before : so_far);
      }
  if (f->mode == HEDDLE_MODE_REDUCE)
    give_all(l, f->rd, so_far);
}

// In all lanes rs2 is the same; the first's counts.
static void broadcast(const struct lanes *l, const struct fields *f) {
  for (uint32_t slot = l->first; slot < l->first + l->count; slot++)
    for (uint32_t lane = 0; lane < LANES; lane++)
      if (active_of(l, slot) >> lane & 1) {
        uint32_t from = value_of(slot, lane, f->rs2), source = l->first;
        while (from >= l->group->size && source < l->first + l->count) {
          from -= l->group->size;
          source++;
        }
        const bool there = source < l->first + l->count && (active_of(l, source) >> from & 1);
        give_all(l, f->rd, there ? value_of(source, from, f->rs1) : 0);
        return;
      }
}

static void shuffle(const struct lanes *l, const struct fields *f) {
  uint32_t value[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const uint32_t from = value_of(l->first, lane, f->rs2) % 32;
    value[lane] = from < LANES && (l->active >> from & 1) ? value_of(l->first, from, f->rs1) : 0;
  }
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (l->active >> lane & 1)
      give(l->first, lane, f->rd, value[lane]);
}

void collective(struct work_group *group, uint32_t first, uint32_t count, uint32_t active, uint32_t instruction) {
  const struct fields f = fields_of(instruction);
  // A work-group of one sub-group is one whose lanes are all active.
  const struct lanes l = {group, first, count, active};
  if (f.scope >= HEDDLE_SCOPE_WIDE)
    wide_scan(&l, &f);
  else if (f.type == HEDDLE_TYPE_BITS)
    bits_scan(&l, &f);
  else if (f.mode == HEDDLE_MODE_BROADCAST)
    broadcast(&l, &f);
  else
    shuffle(&l, &f);
}
