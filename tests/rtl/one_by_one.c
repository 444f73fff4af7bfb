// SPDX-License-Identifier: Apache-2.0
// rtl/pipeline's one_by_one: work-groups of random sizes, whose work-items are counted off in C and end at random.
// HEDDLE_SEED chooses others.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/rtl/one_by_one_block.h"
#include "tests/rtl/random_word.h"

enum { GROUPS = 3000, NAMES = 4 };

static struct one_by_one_in in;
static struct one_by_one_out out;
static uint32_t ids[NAMES][3];  // of the work-groups that had these names last
static uint32_t named;          // how many work-groups there were, NAMES at most

static void cycle(void) {
  one_by_one_cycle(&in, &out);
}

static void reset(void) {
  in = (struct one_by_one_in){.rst = true};
  cycle();
  in.rst = false;
  cycle();
  cr_assert(out.wipe, "the count of barriers is wiped after a reset");
  cr_assert_not(out.idle);
}

static void start(void) {
  in.start = true;
  cycle();
  in.start = false;
  cr_assert_not(out.group_ready);
}

static void offer(void) {
  in.group_valid = true;
  for (int d = 0; d < 3; d++) {
    in.id[d] = ONCE ? 0 : random_word();
    in.size[d] = ONCE ? 1 : 1 + random_below(d == 0 && chance(8) ? 40 : 4);
  }
}

// A cycle in which no token is launched and no work-group is done.
static void quiet_cycle(void) {
  cycle();
  cr_assert_not(out.token, "a token while one is there");
  cr_assert_not(out.group_done, "a work-group is done while a work-item of it is there");
  cr_assert_not(out.begin);
}

// The id of the work-group at hand, or by a name.
static void check_ids(void) {
  const uint32_t name = out.arrival;
  quiet_cycle();
  quiet_cycle();
  cr_assert_eq(memcmp(out.id, in.id, sizeof out.id), 0, "the work-group's id");
  if (!LATE || ONCE)
    return;
  memcpy(ids[name], in.id, sizeof in.id);
  named += named < NAMES;
  if (named < NAMES)
    return;
  in.by_arrival = true;
  in.arrival = random_below(NAMES);
  quiet_cycle();
  quiet_cycle();
  cr_assert_eq(memcmp(out.id, ids[in.arrival], sizeof out.id), 0, "the id of a work-group that has ended");
  in.by_arrival = false;
}

// A work-group, of which as many work-items at most end.
static void run(uint32_t most) {
  const uint32_t items = in.size[0] * in.size[1] * in.size[2];
  in.open = false;
  cycle();
  cr_assert_not(out.group_ready, "a work-group is taken before tokens may be launched");
  in.open = true;
  cycle();
  cr_assert(out.group_ready, "a work-group waits, though none is there");
  in.group_valid = chance(128);  // the next one may stand there
  for (uint32_t i = 0; i < items; i++) {
    cycle();
    cr_assert(out.token, "work-item %u of %u is not launched the cycle after the one before it has ended", i, items);
    cr_assert_eq(out.begin, i == 0);
    cr_assert_eq(out.number, i % (1u << SLOT_BITS));
    cr_assert(out.running && !out.idle && !out.group_ready);
    if (i == 0)
      check_ids();
    for (uint32_t waits = 1 + random_below(4); waits > 0; waits--)
      quiet_cycle();
    if (i == most)
      return;
    in.done = true;
    quiet_cycle();
    in.done = false;
  }
  in.group_valid = false;
  cycle();
  cr_assert(out.group_done, "a work-group of %u is not done the cycle after its last work-item", items);
  cr_assert(!out.token && !out.running && out.idle);
  quiet_cycle();
}

Test(one_by_one, launches_each_work_item_when_the_one_before_it_has_ended) {
  random_seed(0x0E1B70E5);
  reset();
  start();
  for (int i = 0; i < GROUPS; i++) {
    offer();
    run(UINT32_MAX);
  }
}

Test(one_by_one, begins_afresh_after_a_dispatch_that_was_broken_off) {
  random_seed(0xB20CE0FF);
  reset();
  for (int i = 0; i < GROUPS / 10; i++) {
    start();
    offer();
    run(random_below(3));
    if (chance(128)) {
      uint32_t before[3];
      quiet_cycle();
      memcpy(before, out.id, sizeof before);
      reset();
      cycle();
      cr_assert_eq(memcmp(out.id, before, sizeof before), 0, "records of faults outlive a reset");
    }
    in.group_valid = false;
    start();
    for (int k = 0; k < 3; k++)
      quiet_cycle();
    cr_assert(out.idle && !out.running);
    offer();
    run(UINT32_MAX);
  }
}
