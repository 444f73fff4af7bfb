// SPDX-License-Identifier: Apache-2.0
// Races: two accesses of one byte by different work-items, at least one of which writes and at least one of which is no
// atomic, with nothing that orders them (check_state.h).
//
// Time goes on with every barrier and every release. An access is ordered before those that a work-item makes later
// when it was made no later than
// - the last barrier of the work-group, for accesses of the same work-group;
// - the last barrier of the sub-group, for accesses of the same sub-group;
// - a release that the work-item has acquired, for accesses of everybody. That is more than the acquire orders: it
//   orders what the releasing work-item had done and seen. So a race may be missed, and none is reported that is none.
#include <stdlib.h>
#include <string.h>

#include "sim/model/check_state.h"

// Who makes the access.
struct accessor {
  const struct model_device *d;
  const struct check_registers *registers;
  const struct check_group *group;
  uint32_t item, lane, since;  // accesses before this time do not count
  int memory;                  // 0 local, 1 global
};

static bool is_ordered(const struct accessor *a, const struct check_use *use) {
  const struct model_check *c = a->d->check;
  const uint32_t S = a->d->sub_group_size;
  if (use->time < a->since || use->item == a->item || use->time <= a->registers->acquired[a->lane])
    return true;
  if (use->item - a->registers->first_item < S)
    return use->time <= a->registers->together[a->memory];
  return use->item - a->group->first_item < c->items && use->time <= a->group->together[a->memory];
}

static void note(struct check_use *use, const struct accessor *a, uint32_t pc) {
  *use = (struct check_use){.item = a->item,
                            .time = a->d->check->time,
                            .pc = pc,
                            .caller = a->registers->calls != 0 ? a->registers->caller : 0};
}

// Of two that are kept at least one is not the next writer.
static void note_of_two(struct check_use uses[2], const struct accessor *a, uint32_t pc) {
  note(&uses[is_ordered(a, &uses[0]) ? 0 : 1], a, pc);
}

// Whether a store changes nothing for another writer: the value is in memory, or another lane stores it as well.
static bool stores_the_same(const struct accessor *a, const struct check_touch *touch, const struct check_use *writer) {
  const uint32_t value = touch->stored[touch->lane];
  const uint32_t lane = writer->item - a->registers->first_item;
  if (memcmp(a->d->memory + touch->physical, &value, touch->bytes) == 0)
    return true;
  return lane < a->d->sub_group_size && (writer->pc & ~3u) == touch->pc && writer->time == a->d->check->time &&
         memcmp(&touch->stored[lane], &value, touch->bytes) == 0;
}

static void find(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch,
                 const struct check_use *use, bool use_writes) {
  struct heddle_finding race = {.kind = HEDDLE_FINDING_RACE,
                                .here = check_access_of(d, g, touch->lane, touch->pc),
                                .other = check_access_of_item(d, use),
                                .address = touch->address};
  race.here.bytes = touch->bytes;
  race.here.is_write = touch->stored;
  race.here.is_atomic = touch->is_atomic;
  race.other.is_write = use_writes;
  check_find(d, &race, touch->object);
}

static void look_at_cell(struct model_device *d, const struct model_sub_group *g, const struct accessor *a,
                         const struct check_touch *touch, struct check_cell *cell) {
  const uint32_t pc = touch->pc | touch->is_atomic | (uint32_t)touch->is_volatile << 1;
  const bool is_plain_store = touch->stored && (!touch->is_atomic || touch->is_volatile);
  if (!is_ordered(a, &cell->writer) && !(is_plain_store && stores_the_same(a, touch, &cell->writer)))
    find(d, g, touch, &cell->writer, true);
  for (uint32_t i = 0; i < 2; i++) {
    // Atomics may meet; two volatile stores are a race nevertheless.
    const struct check_use *writer = &cell->atomic_writers[i];
    const bool may_meet = touch->is_atomic && !(touch->stored && touch->is_volatile && (writer->pc & 2) != 0);
    if (!may_meet && !is_ordered(a, writer) && !(is_plain_store && stores_the_same(a, touch, writer)))
      find(d, g, touch, writer, true);
    if (touch->stored && !is_ordered(a, &cell->readers[i]))
      find(d, g, touch, &cell->readers[i], false);
    if (touch->stored && !touch->is_atomic && !is_ordered(a, &cell->atomic_readers[i]))
      find(d, g, touch, &cell->atomic_readers[i], false);
  }
  if (touch->stored && !touch->is_atomic)
    note(&cell->writer, a, pc);
  else
    note_of_two(touch->stored ? cell->atomic_writers : touch->is_atomic ? cell->atomic_readers : cell->readers, a, pc);
}

void check_race(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch) {
  struct model_check *c = d->check;
  uint32_t count = 0;
  struct check_cell *cells = check_cells(c, touch->physical, touch->bytes, &count);
  const struct check_registers *registers = check_registers_of(d, g);
  const struct check_group *group = check_group_of(d, g);
  const struct accessor a = {.d = d,
                             .registers = registers,
                             .group = group,
                             .item = registers->first_item + touch->lane,
                             .lane = touch->lane,
                             .memory = touch->physical < d->global_bytes,
                             .since = touch->physical < d->global_bytes ? c->start : group->start};
  for (uint32_t i = 0; cells && i < count; i++)
    look_at_cell(d, g, &a, touch, &cells[i]);
}

void check_fence(struct model_device *d, const struct model_sub_group *g, uint32_t mask) {
  struct check_registers *r = check_registers_of(d, g);
  r->fenced |= mask;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    const uint32_t l = (uint32_t)__builtin_ctz(m);
    if (r->pending[l] > r->acquired[l])
      r->acquired[l] = r->pending[l];
  }
}

void check_acquire(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch) {
  const struct model_check *c = d->check;
  struct check_registers *r = check_registers_of(d, g);
  const struct check_page *page = check_known_page(c, touch->physical);
  const uint32_t released = page && page->released ? page->released[touch->physical / 4 % CHECK_PAGE_WORDS] : 0;
  // A volatile access acquires and releases at once.
  uint32_t *acquired = touch->is_volatile ? &r->acquired[touch->lane] : &r->pending[touch->lane];
  if (released >= c->start && released > *acquired)
    *acquired = released;
}

void check_release(struct model_device *d, const struct model_sub_group *g, const struct check_touch *touch) {
  struct model_check *c = d->check;
  if (!(check_registers_of(d, g)->fenced >> touch->lane & 1) && !touch->is_volatile)
    return;
  struct check_page *page = check_page(c, touch->physical);
  if (page && !page->released)
    page->released = calloc(CHECK_PAGE_WORDS, sizeof *page->released);
  if (page && page->released)
    page->released[touch->physical / 4 % CHECK_PAGE_WORDS] = c->time++;
}

// What barriers of the sub-groups say that they order. They may differ where work-items come from different places.
static uint32_t memory_of_barrier(const struct model_device *d, const struct model_sub_group *g, uint32_t count) {
  uint32_t flags = 0;
  for (uint32_t i = 0; i < count; i++)
    flags |= check_registers_of(d, &g[i])->flags;
  return flags == 0 ? 3 : flags & 3;
}

void check_barrier(struct model_device *d, const struct model_sub_group *g, uint32_t count, bool of_work_group) {
  struct model_check *c = d->check;
  const uint32_t now = c->time++, memory = memory_of_barrier(d, g, count);
  uint32_t acquired = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t l = 0; l < d->sub_group_size; l++)
      if ((g[i].live >> l & 1) && check_registers_of(d, &g[i])->acquired[l] > acquired)
        acquired = check_registers_of(d, &g[i])->acquired[l];
  for (uint32_t i = 0; i < count; i++) {
    struct check_registers *r = check_registers_of(d, &g[i]);
    for (int m = 0; m < 2; m++)
      r->together[m] = memory >> m & 1 ? now : r->together[m];
    for (uint32_t l = 0; l < d->sub_group_size; l++)
      r->acquired[l] = acquired;
    r->flags = 0;
  }
  for (int m = 0; m < 2 && of_work_group; m++)
    check_group_of(d, g)->together[m] = memory >> m & 1 ? now : check_group_of(d, g)->together[m];
}
