// SPDX-License-Identifier: Apache-2.0
// UNIT_MASK of a dispatch (contract/DEVICE.md, "Dispatch"): its work-groups run on the units that the mask names and on
// no other. Each work-group leaves a mark in its private memory. DEVICE.md says where that of a unit lies
// ("Addresses"), so the marks tell which units ran something. Environment: chosen.h.
#include <criterion/criterion.h>

#include "tests/dispatch/chosen.h"

enum {
  MARK_WORD = ((1 << HEDDLE_PRIVATE_LOG2_MIN) - 4) / 4,  // of private memory: that below the initial stack pointer
  MASKS = 1 << 16,
};

struct shape {
  uint32_t units, slots, lanes, all;
};

static struct shape shape_of(const struct chosen *c) {
  const uint32_t units = get_control(c, HEDDLE_REG_UNITS);
  return (struct shape){units, get_control(c, HEDDLE_REG_SLOTS), get_control(c, HEDDLE_REG_LANES), (1u << units) - 1};
}

// Of lane 0 in a slot of a unit.
static uint32_t mark_at(const struct shape *s, uint32_t unit, uint32_t slot) {
  const uint32_t words = 1u << (HEDDLE_PRIVATE_LOG2_MIN - 2);
  return PRIVATE + 4 * (((unit * s->slots + slot) * words + MARK_WORD) * s->lanes);
}

// The units in whose private memory a mark is, as a mask. Removes the marks.
static uint32_t take_marks(const struct chosen *c, const struct shape *s) {
  uint32_t found = 0;
  for (uint32_t unit = 0; unit < s->units; unit++) {
    for (uint32_t slot = 0; slot < s->slots; slot++) {
      if (get(c, mark_at(s, unit, slot)) == 0)
        continue;
      found |= 1u << unit;
      put(c, mark_at(s, unit, slot), 0);
    }
  }
  return found;
}

static void write_masked(const struct chosen *c, uint32_t number, enum kernel kernel, uint32_t mask, uint32_t groups) {
  write_dispatch(c, number, kernel);
  set_dispatch(c, number, HEDDLE_DISPATCH_SUB_GROUP_LOG2, mask << HEDDLE_DISPATCH_UNIT_MASK_SHIFT);
  set_dispatch(c, number, HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE, groups);
}

// Ends with this reason, 0: with none; the next dispatch may start.
static void expect_end(const struct chosen *c, uint32_t mask, uint32_t reason) {
  run_until_idle(c);
  const bool faulted = (get_control(c, HEDDLE_REG_STATUS) & HEDDLE_STATUS_FAULT) != 0;
  const uint32_t came = faulted ? get_control(c, HEDDLE_REG_FAULT_REASON) : 0;
  cr_assert_eq(came, reason, "%s, mask 0x%x: reason %u, expected %u", c->api->name, mask, came, reason);
  set_control(c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
}

// Every work-group ran once, on units of the mask; and each of these units got some.
static void check_mask(const struct chosen *c, const struct shape *s, uint32_t mask) {
  const uint32_t groups = 8 * s->units, right = mask == 0 ? s->all : mask & s->all;
  for (uint32_t i = 0; i < groups; i++)
    put(c, DATA + 4 * i, 0);
  write_masked(c, 0, KERNEL_MARK, mask, groups);
  start_at(c, dispatch_at(0));
  expect_end(c, mask, 0);
  cr_assert_eq(get_figure(c, HEDDLE_REG_GROUPS_DONE), groups);
  for (uint32_t i = 0; i < groups; i++)
    cr_assert_eq(get(c, DATA + 4 * i), 1, "mask 0x%x: work-group %u ran %u times", mask, i, get(c, DATA + 4 * i));
  const uint32_t came = take_marks(c, s);
  cr_assert_eq(came, right, "%s, mask 0x%x: work-groups ran on units 0x%x, expected 0x%x", c->api->name, mask, came,
               right);
}

Test(units, work_groups_run_on_the_units_of_the_mask_and_on_no_other) {
  struct chosen c = chosen_open();
  const struct shape s = shape_of(&c);
  take_marks(&c, &s);
  for (uint32_t mask = 0; mask <= s.all; mask++)
    check_mask(&c, &s, mask);
  chosen_close(&c);
}

Test(units, units_of_the_mask_that_are_not_there_do_not_count) {
  struct chosen c = chosen_open();
  const struct shape s = shape_of(&c);
  take_marks(&c, &s);
  check_mask(&c, &s, MASKS - 1);
  for (uint32_t bit = s.units; bit < 16; bit += 3)
    check_mask(&c, &s, 1u << bit | 1u << (s.units - 1));
  chosen_close(&c);
}

Test(units, a_mask_without_any_unit_is_a_bad_dispatch_and_the_next_one_runs) {
  struct chosen c = chosen_open();
  const struct shape s = shape_of(&c);
  take_marks(&c, &s);
  const uint32_t none[] = {s.all + 1, MASKS / 2, (MASKS - 1) & ~s.all};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    write_masked(&c, 0, KERNEL_MARK, none[i], 3);
    start_at(&c, dispatch_at(0));
    expect_end(&c, none[i], HEDDLE_FAULT_BAD_DISPATCH);
    cr_assert_eq(take_marks(&c, &s), 0);
    check_mask(&c, &s, 1u << (s.units - 1));
  }
  chosen_close(&c);
}

// One that waits has a mask of its own.
Test(units, dispatches_of_different_masks_follow_each_other) {
  struct chosen c = chosen_open();
  const struct shape s = shape_of(&c);
  take_marks(&c, &s);
  for (uint32_t unit = 0; unit < s.units; unit++) {
    const uint32_t next = (unit + 1) % s.units;
    write_masked(&c, 0, KERNEL_SLOW, 1u << unit, 1);
    write_masked(&c, 1, KERNEL_MARK, 1u << next, 2 * s.units);
    start_at(&c, dispatch_at(0));
    start_at(&c, dispatch_at(1));
    expect_end(&c, 1u << next, 0);
    EXPECT_LOG(&c, 0);
    const uint32_t came = take_marks(&c, &s);
    cr_assert_eq(came, 1u << next, "after unit %u: work-groups ran on units 0x%x, expected unit %u", unit, came, next);
  }
  chosen_close(&c);
}

// A fault, a stop and a spent budget are of the units that run, whichever these are.
Test(units, a_dispatch_of_some_units_ends_as_one_of_all) {
  struct chosen c = chosen_open();
  const struct shape s = shape_of(&c);
  take_marks(&c, &s);
  for (uint32_t unit = 0; unit < s.units; unit++) {
    const uint32_t mask = 1u << unit;
    write_masked(&c, 0, KERNEL_FAULT, mask, 3);
    start_at(&c, dispatch_at(0));
    run_until_idle(&c);
    cr_assert_eq(get_control(&c, HEDDLE_REG_FAULT_PC), fault_pc());
    expect_end(&c, mask, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
    write_masked(&c, 0, KERNEL_FOREVER, mask, 3);
    start_at(&c, dispatch_at(0));
    run_a_little(&c);
    set_control(&c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
    expect_end(&c, mask, HEDDLE_FAULT_STOPPED);
    set_dispatch(&c, 0, HEDDLE_DISPATCH_BUDGET, 500);
    start_at(&c, dispatch_at(0));
    expect_end(&c, mask, HEDDLE_FAULT_BUDGET_SPENT);
    check_mask(&c, &s, 0);
  }
  chosen_close(&c);
}
