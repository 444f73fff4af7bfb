// SPDX-License-Identifier: Apache-2.0
// The A extension: lr.w, sc.w and amo* by the lanes of a sub-group, one lane after the other in ascending order.
//
// lr.w reserves a word for the lane, and any store to the word takes it away, by whomever, the lane itself included. A
// lane that has reserved a word may sc.w to that of any lane of its sub-group. That is all the contract lets sc.w
// succeed on: a device with fewer reservations succeeds in a subset.
#include "sim/model/memory.h"
#include "sim/model/parallel.h"

enum {
  AMOADD = 0x00,
  AMOSWAP = 0x01,
  LR = 0x02,
  SC = 0x03,
  AMOXOR = 0x04,
  AMOOR = 0x08,
  AMOAND = 0x0C,
  AMOMIN = 0x10,
  AMOMAX = 0x14,
  AMOMINU = 0x18,
  AMOMAXU = 0x1C,
};

static void reserve(struct model_device *d, struct model_sub_group *g, uint32_t lane, uint32_t physical) {
  g->reserved |= 1u << lane;
  g->linked |= 1u << lane;
  g->reservation[lane] = physical;
  model_set_add(&d->reserving, model_slot(d, g));
}

static void drop_reservation(struct model_device *d, struct model_sub_group *g, uint32_t lane) {
  g->reserved &= ~(1u << lane);
  if (g->reserved == 0)
    model_set_remove(&d->reserving, model_slot(d, g));
}

void model_break_reservations(struct model_device *d, uint32_t physical, size_t bytes) {
  const uint64_t first = physical & ~3u, end = (uint64_t)physical + bytes;
  for (uint32_t s = 0; (s = model_set_next(&d->reserving, s)) < MODEL_SET_SLOTS; s++) {
    struct model_sub_group *g = &d->sub_groups[s];
    for (uint32_t m = g->reserved; m != 0; m &= m - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(m);
      if (g->reservation[l] >= first && g->reservation[l] < end)
        drop_reservation(d, g, l);
    }
  }
}

static uint32_t modify(uint32_t operation, uint32_t old, uint32_t b) {
  switch (operation) {
    case AMOADD:
      return old + b;
    case AMOXOR:
      return old ^ b;
    case AMOOR:
      return old | b;
    case AMOAND:
      return old & b;
    case AMOMIN:
      return (int32_t)old < (int32_t)b ? old : b;
    case AMOMAX:
      return (int32_t)old > (int32_t)b ? old : b;
    case AMOMINU:
      return old < b ? old : b;
    case AMOMAXU:
      return old > b ? old : b;
    default:  // AMOSWAP
      return b;
  }
}

static bool holds_reservation(const struct model_sub_group *g, uint32_t lane, uint32_t physical) {
  bool is_reserved = false;
  for (uint32_t m = g->reserved; m != 0; m &= m - 1)
    is_reserved = is_reserved || g->reservation[__builtin_ctz(m)] == physical;
  return is_reserved && (g->linked >> lane & 1);
}

// The lanes whose sc.w may succeed: those with a reservation, and of these the ones a driver chooses.
static uint32_t chosen(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                       const uint32_t *address, const uint32_t *physical) {
  struct heddle_model_sc sc = {
      .slot = model_slot(d, g), .sub_group_id = g->id, .pc = pc, .mask = mask, .address = address};
  memcpy(sc.group_id, g->group->id, sizeof sc.group_id);
  for (uint32_t l = 0; l < d->sub_group_size; l++)
    sc.reserved |= (mask >> l & 1) && holds_reservation(g, l, physical[l]) ? 1u << l : 0;
  return d->choose_sc ? d->choose_sc(d->choose_sc_user, &sc) : sc.reserved;
}

// Returns what rd gets.
static uint32_t store_conditional(struct model_device *d, struct model_sub_group *g, uint32_t lane, uint32_t physical,
                                  uint32_t value, bool may_succeed) {
  // Asked again: a lane before may have stored to the word.
  bool succeeds = may_succeed && holds_reservation(g, lane, physical);
  if (succeeds)
    store(d, physical, 4, value);
  return !succeeds;
}

static bool translate_all(struct model_device *d, const struct model_sub_group *g, uint32_t pc, uint32_t mask,
                          const uint32_t *address, uint32_t *physical) {
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    uint32_t reason = translate(d, g, address[l], 4, l, &physical[l]);
    if (reason != 0) {
      model_fault(d, g, reason, pc, address[l], l);
      return false;
    }
  }
  return true;
}

bool model_atomic(struct model_device *d, struct model_sub_group *g, const struct model_op *op, uint32_t pc,
                  uint32_t mask, const uint32_t *address) {
  const struct model_op o = *op;  // a lane may store to this very instruction
  uint32_t physical[MODEL_MAX_LANES], line = UINT32_MAX;
  if (!translate_all(d, g, pc, mask, address, physical))
    return false;
  if (!have_rights(d, g, physical, pc, mask, op->imm != LR))
    return false;
  if (d->course && !(model_touch_lanes(d, address, physical, mask, 4, false) &&
                     model_touch_lanes(d, address, physical, mask, 4, true)))
    return false;
  uint32_t may_succeed = o.imm == SC ? chosen(d, g, pc, mask, address, physical) : 0;
  uint32_t *const rd = g->x + o.rd * d->sub_group_size;
  const uint32_t *const rs2 = g->x + o.rs2 * d->sub_group_size;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    if (o.imm == SC) {
      rd[l] = store_conditional(d, g, l, physical[l], rs2[l], may_succeed >> l & 1);
    } else if (o.imm == LR) {
      reserve(d, g, l, physical[l]);
      rd[l] = load(d, physical[l], 4, false);
    } else {
      uint32_t old = load(d, physical[l], 4, false);
      store(d, physical[l], 4, modify(o.imm, old, rs2[l]));
      rd[l] = old;
    }
    if (physical[l] < d->global_bytes && physical[l] / MODEL_LINE_BYTES != line) {
      line = physical[l] / MODEL_LINE_BYTES;
      d->figures.memory_requests++;
    }
  }
  for (uint32_t m = o.imm == SC ? mask : 0; m != 0; m &= m - 1) {  // not before: lanes may have each other's words
    drop_reservation(d, g, (uint32_t)__builtin_ctz(m));
    g->linked &= ~(m & -m);
  }
  return true;
}
