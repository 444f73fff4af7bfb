// SPDX-License-Identifier: Apache-2.0
// rtl/pipeline's sub_groups: random ranges of one to three dimensions, with remainder work-groups and sub-groups
// smaller than the lanes, against a work-group's items counted off in C. Tokens end at random. HEDDLE_SEED chooses
// others.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/rtl/random_word.h"
#include "tests/rtl/sub_groups_block.h"

enum { SLOTS = 1 << SLOT_BITS, LOCAL_BYTES = 1 << LOCAL_LOG2, MOST_ITEMS = 1024, DISPATCHES = 1000 };

struct dispatch {
  uint32_t local[3], global[3], groups[3], offset[3];
  uint32_t sub_group_log2, sub_groups, local_bytes;
  uint32_t begin, shift;  // the cycle in which it started; slots of a group slot, log2
};

// A work-group in its group slot, from the cycle in which it was taken on.
struct group_slot {
  bool used, running;  // running: it began, and not all of its tokens have ended
  struct work_group group;
  uint32_t items, sub_groups, launched, ended, local_base;
  uint32_t ended_at;  // the cycle after which none of its tokens was there
};

static struct dispatch dispatch;
static struct group_slot group_slots[SLOTS];
static bool live[SLOTS];            // a slot's token is on its way
static struct work_group queue[4];  // taken, without a group slot that could be seen
static unsigned queued;
static uint32_t now, waited, last_token, groups_done, groups_ended;
static int filling;  // the group slot of which tokens are launched, or -1
static struct sub_groups_in in;
static struct sub_groups_out out;

static uint32_t items_of(const struct work_group *group) {
  return group->size[0] * group->size[1] * group->size[2];
}

static struct work_group group_number(uint32_t n) {
  struct work_group group;
  for (unsigned d = 0; d < 3; d++) {
    group.id[d] = n % dispatch.groups[d];
    n /= dispatch.groups[d];
    const uint32_t begin = group.id[d] * dispatch.local[d], left = dispatch.global[d] - begin;
    group.base[d] = begin + dispatch.offset[d];
    group.size[d] = left < dispatch.local[d] ? left : dispatch.local[d];
  }
  return group;
}

static void random_dispatch(void) {
  const unsigned dimensions = 1 + random_below(3);
  dispatch.sub_group_log2 = random_below((uint32_t)__builtin_ctz(LANES) + 1);
  const uint32_t most = SLOTS << dispatch.sub_group_log2;
  uint32_t room = most < MOST_ITEMS ? most : MOST_ITEMS;
  if (random_below(2) != 0)
    room = 1 + random_below(room);
  uint32_t items = 1;
  for (unsigned d = 0; d < 3; d++) {
    dispatch.local[d] = d >= dimensions ? 1 : d + 1 == dimensions ? room / items : 1 + random_below(room / items);
    if (dispatch.local[d] >= LANES && random_below(2) != 0)
      dispatch.local[d] -= dispatch.local[d] % LANES;
    items *= dispatch.local[d];
    dispatch.groups[d] = d < dimensions ? 1 + random_below(4) : 1;
    dispatch.global[d] = (dispatch.groups[d] - 1) * dispatch.local[d] + 1 + random_below(dispatch.local[d]);
    dispatch.offset[d] = random_word();
  }
  dispatch.sub_groups = (items + (1u << dispatch.sub_group_log2) - 1) >> dispatch.sub_group_log2;
  dispatch.local_bytes = random_below(3) == 0 ? 0 : random_below(8) == 0 ? LOCAL_BYTES : random_below(LOCAL_BYTES / 2);
  for (dispatch.shift = 0; 1u << dispatch.shift < dispatch.sub_groups;)
    dispatch.shift++;
}

static void cycle(void) {
  sub_groups_cycle(&in, &out);
  now++;
}

static void check_begin(void) {
  cr_assert(queued != 0, "a work-group begins that was not taken");
  const uint32_t at = out.begin_group_slot;
  cr_assert_eq(out.shift, dispatch.shift);
  cr_assert((at + 1) << out.shift <= SLOTS, "group slot %u has no slots", at);
  struct group_slot *group_slot = &group_slots[at];
  cr_assert_not(group_slot->used, "group slot %u is given out twice", at);
  *group_slot = (struct group_slot){.used = true, .running = true, .group = queue[0], .items = items_of(&queue[0])};
  group_slot->sub_groups = (group_slot->items + (1u << dispatch.sub_group_log2) - 1) >> dispatch.sub_group_log2;
  cr_assert_eq(out.begin_last, group_slot->sub_groups - 1);
  queued--;
  memmove(queue, queue + 1, queued * sizeof *queue);
  cr_assert_lt(filling, 0, "a work-group begins before the one before it is launched");
  filling = (int)at;
}

static void check_local_memory(void) {
  struct group_slot *group_slot = &group_slots[in.group_slot];
  if (!group_slot->used)
    return;
  group_slot->local_base = out.local_base;
  cr_assert_leq(out.local_base + dispatch.local_bytes, LOCAL_BYTES);
  cr_assert_eq(out.local_base, in.group_slot * dispatch.local_bytes, "local memory of group slot %u", in.group_slot);
}

static void check_token(void) {
  cr_assert_geq(filling, 0, "a token of no work-group");
  struct group_slot *group_slot = &group_slots[filling];
  const uint32_t size = 1u << dispatch.sub_group_log2, number = group_slot->launched++;
  cr_assert_eq(out.slot, ((uint32_t)filling << dispatch.shift) + number);
  cr_assert_not(live[out.slot], "two tokens in slot %u", out.slot);
  live[out.slot] = true;
  cr_assert_eq(out.sub_group, number);
  cr_assert_eq(out.last_sub_group, group_slot->sub_groups - 1);
  cr_assert(memcmp(&out.group, &group_slot->group, sizeof out.group) == 0, "another work-group's id, base or size");
  uint32_t lanes = 0;
  for (uint32_t l = 0; l < size; l++) {
    const uint32_t item = number * size + l, *local = out.local_id[l], *of = group_slot->group.size;
    if (item >= group_slot->items)
      break;
    lanes |= 1u << l;
    cr_assert(local[0] == item % of[0] && local[1] == item / of[0] % of[1] && local[2] == item / of[0] / of[1],
              "work-item %u of %u x %u x %u has local id %u, %u, %u", item, of[0], of[1], of[2], local[0], local[1],
              local[2]);
  }
  cr_assert_eq(out.lanes, lanes, "sub-group %u of %u work-items: lanes %x, not %x", number, group_slot->items,
               out.lanes, lanes);
  cr_assert_eq(out.sub_group_size, (uint32_t)__builtin_popcount(lanes));
  const bool straight = (group_slot->group.size[1] == 1 && group_slot->group.size[2] == 1) ||
                        (group_slot->group.size[0] & (size - 1)) == 0;
  if (number != 0) {
    const uint32_t filled = straight ? 1 : out.sub_group_size;
    cr_assert_eq(now - last_token, filled > INTERVAL ? filled : INTERVAL);
  }
  cr_assert_geq(now - last_token, INTERVAL, "work-groups too close");
  last_token = now;
  if (group_slot->launched == group_slot->sub_groups)
    filling = -1;
}

// What the module says of one group slot, a cycle after it was asked for the id.
static void check_running(bool asked_before) {
  const struct group_slot *group_slot = &group_slots[in.id_group_slot];
  if (group_slot->launched != 0 && group_slot->running)
    cr_assert(out.running, "group slot %u runs", in.id_group_slot);
  if (!group_slot->running && !group_slot->used && now - group_slot->ended_at > 4)
    cr_assert_not(out.running, "group slot %u does not run: its work-group has ended", in.id_group_slot);
  if (asked_before && group_slot->launched != 0 && group_slot->running)
    cr_assert(memcmp(out.id, group_slot->group.id, sizeof out.id) == 0, "the id of the work-group in group slot %u",
              in.id_group_slot);
}

// A work-group that stands there, or was taken and has not begun, begins while a group slot is free.
static void check_room(void) {
  uint32_t used = 0, most = SLOTS >> dispatch.shift;
  if (dispatch.local_bytes != 0 && LOCAL_BYTES / dispatch.local_bytes < most)
    most = LOCAL_BYTES / dispatch.local_bytes;
  for (unsigned i = 0; i < SLOTS; i++)
    used += group_slots[i].used;
  const bool room = ((in.group_valid && in.open) || queued != 0) && filling < 0 && used < most;
  waited = room && !out.group_ready && !out.begin ? waited + 1 : 0;
  cr_assert_lt(waited, 16, "a work-group waits, though %u of %u group slots are free", most - used, most);
}

static void end_token(unsigned of_256) {
  in.done = false;
  if (!chance(of_256))
    return;
  const uint32_t from = random_below(SLOTS);
  for (uint32_t i = 0; i < SLOTS && !in.done; i++)
    if (live[(from + i) % SLOTS]) {
      in.done = true;
      in.done_slot = (from + i) % SLOTS;
    }
  if (!in.done)
    return;
  live[in.done_slot] = false;
  struct group_slot *group_slot = &group_slots[in.done_slot >> dispatch.shift];
  if (++group_slot->ended == group_slot->sub_groups) {
    // Its group slot may be given out from now on.
    group_slot->used = group_slot->running = false;
    group_slot->ended_at = now;
    groups_ended++;
  }
}

static void reset(void) {
  in = (struct sub_groups_in){.rst = true};
  cycle();
  in.rst = false;
  memset(group_slots, 0, sizeof group_slots);
  memset(live, 0, sizeof live);
  queued = groups_done = groups_ended = 0;
  filling = -1;
}

// Runs a dispatch, or as many cycles of it; returns whether it has ended.
static bool run(uint32_t cycles) {
  const uint32_t count = dispatch.groups[0] * dispatch.groups[1] * dispatch.groups[2];
  const unsigned end_speed = 1 + random_below(255), group_speed = 16 + random_below(240);
  for (unsigned i = 0; i < SLOTS; i++)
    group_slots[i] = (struct group_slot){.ended_at = now};
  groups_done = groups_ended = 0;
  in.start = true;
  in.sub_groups = dispatch.sub_groups;
  in.sub_group_log2 = dispatch.sub_group_log2;
  in.local_bytes = dispatch.local_bytes;
  cycle();
  in.start = false;
  dispatch.begin = now;
  waited = 0;
  uint32_t next = 0;
  bool asked_before = false;
  while (groups_done < count && cycles-- != 0) {
    cr_assert_lt(now - dispatch.begin, 2000000, "%u of %u work-groups are done, and nothing comes", groups_done, count);
    in.open = chance(250);
    in.group_valid = next < count && (in.group_valid || chance(group_speed));
    if (next < count)
      in.group = group_number(next);
    end_token(end_speed);
    in.group_slot = random_below(SLOTS >> dispatch.shift);
    cycle();
    if (groups_ended < next)
      cr_assert_not(out.idle, "idle, with work-groups under way");
    if (out.token)
      check_token();
    if (out.begin)
      check_begin();
    check_local_memory();
    check_room();
    check_running(asked_before);
    asked_before = random_below(2) == 0;
    if (!asked_before)
      in.id_group_slot = random_below(SLOTS >> dispatch.shift);
    if (out.group_done)
      groups_done++;
    cr_assert_leq(groups_done, groups_ended, "a work-group is done before its tokens");
    if (out.group_ready && in.group_valid) {
      cr_assert_lt(queued, 2);
      queue[queued++] = in.group;
      next++;
      in.group_valid = false;
    }
  }
  return groups_done == count;
}

Test(sub_groups, launch_each_work_item_once_with_its_ids_in_group_slots_of_its_own) {
  random_seed(0x5AB6E0B5);
  reset();
  uint32_t most = 0;
  for (int i = 0; i < DISPATCHES; i++) {
    random_dispatch();
    cr_assert(run(UINT32_MAX));
    for (int k = 0; k < 4; k++) {
      in.done = false;
      cycle();
      cr_assert(!out.token && !out.begin && !out.group_done);
    }
    cr_assert(out.idle);
    most = dispatch.sub_groups > most ? dispatch.sub_groups : most;
  }
  cr_assert_gt(most, SLOTS / 2);
}

Test(sub_groups, begin_afresh_after_a_dispatch_that_was_broken_off) {
  random_seed(0xB20CE0FF);
  reset();
  for (int i = 0; i < DISPATCHES / 4; i++) {
    random_dispatch();
    run(random_below(200));
    reset();
    for (int k = 0; k < SLOTS + 4 && !out.idle; k++)
      cycle();
    cr_assert(out.idle);
    random_dispatch();
    cr_assert(run(UINT32_MAX));
    in.done = false;
    for (int k = 0; k < 4; k++)
      cycle();
  }
}
