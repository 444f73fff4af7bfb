// SPDX-License-Identifier: Apache-2.0
// Kinds of compute unit (contract/DEVICE.md): a device that has, besides its programmable units, two kinds of test unit
// (sim/rtl/test_unit.v). What the capability block says of each, which units a dispatch runs on, and the limits that it
// has to keep. The device is that of HEDDLE_DISPATCH_RTL, with HEDDLE_SIM_UNITS programmable units: 0 or 1.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dispatch/chosen.h"

// The kinds of the device, as sim/rtl/build.mk has them.
enum { PROGRAMMABLE = 0, FIRST = 1, SECOND = 2, KINDS = 3, TYPE_TEST = 255 };
enum { LANES = 4, SLOTS = 4, LOCAL_BYTES = 32768 };
enum { FIRST_UNITS = 2, FIRST_LANES = 4, FIRST_SLOTS = 8, FIRST_ITEMS = 24, FIRST_LOCAL_BYTES = 64 };
enum { SECOND_LANES = 2, SECOND_SLOTS = 64, SECOND_ITEMS = 100 };

enum { ROWS = DATA, BEAT_BYTES = 16, COUNTER = DATA + 0x80000 + 8, NEVER = 0x7FFFFFFF };

static uint32_t units(void) {
  const char *asked = getenv("HEDDLE_SIM_UNITS");
  cr_assert(asked, "HEDDLE_SIM_UNITS is not set");
  return (uint32_t)strtoul(asked, NULL, 0);
}

static void set_packet(const struct chosen *c, uint32_t number, uint32_t word, uint32_t value) {
  set_dispatch(c, number, HEDDLE_DISPATCH_PACKET + word, value);
}

// Dispatch `number` for test units: one work-item, no private memory, rows and counter as above.
static void write_test_dispatch(const struct chosen *c, uint32_t number, uint32_t kind) {
  write_dispatch(c, number, KERNEL_ILLEGAL);
  set_dispatch(c, number, HEDDLE_DISPATCH_ENTRY, 0);
  set_dispatch(c, number, HEDDLE_DISPATCH_PRIVATE_BASE, 0);
  set_dispatch(c, number, HEDDLE_DISPATCH_PRIVATE_LOG2, 0);
  set_dispatch(c, number, HEDDLE_DISPATCH_KIND, kind);
  set_packet(c, number, HEDDLE_PACKET_WORDS + 0, ROWS);
  set_packet(c, number, HEDDLE_PACKET_WORDS + 1, COUNTER);
  set_packet(c, number, HEDDLE_PACKET_WORDS + 2, NEVER);
}

static void set_sizes(const struct chosen *c, uint32_t number, const uint32_t *global, const uint32_t *local) {
  for (uint32_t i = 0; i < 3; i++) {
    set_packet(c, number, HEDDLE_PACKET_GLOBAL_SIZE + i, global[i]);
    set_packet(c, number, HEDDLE_PACKET_LOCAL_SIZE + i, local[i]);
  }
}

static void start(const struct chosen *c, uint32_t number) {
  start_at(c, dispatch_at(number));
}

static void expect_end(const struct chosen *c, uint32_t reason) {
  run_until_idle(c);
  const uint32_t status = get_control(c, HEDDLE_REG_STATUS);
  cr_assert_eq(status, reason != 0 ? HEDDLE_STATUS_FAULT : 0, "STATUS is %u, reason %u", status,
               get_control(c, HEDDLE_REG_FAULT_REASON));
  if (reason != 0) {
    const uint32_t came = get_control(c, HEDDLE_REG_FAULT_REASON);
    cr_assert_eq(came, reason, "reason %u, expected %u", came, reason);
    set_control(c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
  }
}

// A dispatch of one work-item on `kind` runs, and on no other kind.
static void expect_runs(const struct chosen *c, uint32_t kind) {
  if (kind == PROGRAMMABLE) {
    write_dispatch(c, 9, KERNEL_LOG);
    start(c, 9);
    expect_end(c, 0);
    EXPECT_LOG(c, 9);
    return;
  }
  put(c, COUNTER, 0);
  write_test_dispatch(c, 9, kind);
  start(c, 9);
  expect_end(c, 0);
  cr_assert_eq(get(c, COUNTER), 1);
  cr_assert_eq(get(c, ROWS + 12) >> 24, kind);
}

Test(kinds, the_capability_block_has_a_table_of_them) {
  struct chosen c = chosen_open();
  static const uint32_t first[16] = {TYPE_TEST, FIRST_UNITS, FIRST_LANES, FIRST_SLOTS, FIRST_ITEMS, FIRST_LOCAL_BYTES,
                                     3,         0,           0x11111111,  0x22222222,  0x33333333,  0x44444444};
  static const uint32_t second[16] = {TYPE_TEST, 1, SECOND_LANES, SECOND_SLOTS, SECOND_ITEMS, 0, 5, 0, 5, 6, 7, 8};
  const uint32_t own[16] = {HEDDLE_KIND_IS_PROGRAMMABLE, units(), LANES, SLOTS, LANES * SLOTS, LOCAL_BYTES};
  const uint32_t *const expected[KINDS] = {own, first, second};
  cr_expect_eq(get_control(&c, HEDDLE_REG_KINDS), KINDS);
  cr_expect_eq(get_control(&c, HEDDLE_REG_UNITS), units());
  cr_expect_eq(get_control(&c, HEDDLE_REG_LANES), LANES);
  cr_expect_eq(get_control(&c, HEDDLE_REG_SLOTS), SLOTS);
  for (uint32_t kind = 0; kind < HEDDLE_KINDS_MOST; kind++) {
    for (uint32_t word = 0; word < HEDDLE_KIND_WORDS; word++) {
      const uint32_t came = get_control(&c, HEDDLE_REG_KIND_TABLE + 4 * (HEDDLE_KIND_WORDS * kind + word));
      const uint32_t right = kind < KINDS ? expected[kind][word] : 0;
      cr_expect_eq(came, right, "kind %u, word %u: 0x%x, expected 0x%x", kind, word, came, right);
    }
  }
  chosen_close(&c);
}

// All work-groups of a range in three dimensions, with remainders, each once, with its ids and sizes.
static void check_range(const struct chosen *c, uint32_t kind, uint32_t log2) {
  static const uint32_t global[3] = {23, 10, 5}, local[3] = {4, 3, 2}, groups[3] = {6, 4, 3};
  enum { OFFSET = 1000 };
  put(c, COUNTER, 0);
  write_test_dispatch(c, 0, kind);
  set_sizes(c, 0, global, local);
  set_dispatch(c, 0, HEDDLE_DISPATCH_SUB_GROUP_LOG2, log2);
  set_packet(c, 0, HEDDLE_PACKET_GLOBAL_OFFSET, OFFSET);
  start(c, 0);
  expect_end(c, 0);
  const uint32_t all = groups[0] * groups[1] * groups[2];
  cr_assert_eq(get(c, COUNTER), all, "%u work-groups, expected %u", get(c, COUNTER), all);
  cr_assert_eq(get_figure(c, HEDDLE_REG_GROUPS_DONE), all);
  cr_assert_eq(get_figure(c, HEDDLE_REG_ISSUES), all);
  // Of each work-group a row and the counter, and of each unit the arguments.
  cr_assert_eq(get_figure(c, HEDDLE_REG_CACHE_REQUESTS), 2 * all + (kind == FIRST ? FIRST_UNITS : 1));
  for (uint32_t group = 0; group < all; group++) {
    const uint32_t x = group % groups[0], y = group / groups[0] % groups[1], z = group / groups[0] / groups[1];
    const uint32_t id[3] = {x, y, z};
    uint32_t sizes = 0;
    for (uint32_t i = 0; i < 3; i++) {
      const uint32_t left = global[i] - id[i] * local[i];
      sizes |= (left < local[i] ? left : local[i]) << 8 * i;
    }
    const uint32_t expected[4] = {x, OFFSET + x * local[0], sizes, kind << 24 | log2 << 16 | 24 >> log2};
    for (uint32_t word = 0; word < 4; word++) {
      const uint32_t came = get(c, ROWS + (x + 8 * y + 64 * z) * BEAT_BYTES + 4 * word);
      cr_assert_eq(came, expected[word], "kind %u, group %u %u %u, word %u: 0x%x, expected 0x%x", kind, x, y, z, word,
                   came, expected[word]);
    }
  }
}

Test(kinds, a_dispatch_runs_on_the_units_of_its_kind) {
  struct chosen c = chosen_open();
  check_range(&c, FIRST, 2);
  check_range(&c, SECOND, 1);
  check_range(&c, FIRST, 2);
  check_range(&c, SECOND, 0);
  chosen_close(&c);
}

Test(kinds, its_limits_are_those_of_its_kind) {
  struct chosen c = chosen_open();
  static const struct {
    uint32_t kind, items, log2, local_bytes, good;
  } cases[] = {
      {FIRST, FIRST_ITEMS, 2, FIRST_LOCAL_BYTES, 1},
      {FIRST, FIRST_ITEMS + 1, 2, 0, 0},                 // work-items of a work-group
      {FIRST, FIRST_SLOTS, 0, 0, 1},                     //
      {FIRST, FIRST_SLOTS + 1, 0, 0, 0},                 // sub-groups
      {FIRST, 2 * FIRST_SLOTS, 1, 0, 1},                 //
      {FIRST, 2 * FIRST_SLOTS + 1, 1, 0, 0},             //
      {FIRST, 1, 3, 0, 0},                               // lanes
      {FIRST, 1, 0, FIRST_LOCAL_BYTES + 4, 0},           // local memory
      {SECOND, SECOND_ITEMS, 1, 0, 1},                   //
      {SECOND, SECOND_ITEMS + 1, 1, 0, 0},               //
      {SECOND, SECOND_SLOTS, 0, 0, 1},                   //
      {SECOND, SECOND_SLOTS + 1, 0, 0, 0},               //
      {SECOND, 1, 2, 0, 0},                              //
      {SECOND, 1, 0, 4, 0},                              //
      {PROGRAMMABLE, LANES * SLOTS, 2, LOCAL_BYTES, 1},  //
      {PROGRAMMABLE, LANES * SLOTS + 1, 2, 0, 0},        //
      {PROGRAMMABLE, 1, 2, LOCAL_BYTES + 4, 0},          //
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint32_t size[3] = {cases[i].items, 1, 1};
    if (cases[i].kind == PROGRAMMABLE)
      write_dispatch(&c, 0, KERNEL_EMPTY);
    else
      write_test_dispatch(&c, 0, cases[i].kind);
    set_sizes(&c, 0, size, size);
    set_dispatch(&c, 0, HEDDLE_DISPATCH_SUB_GROUP_LOG2, cases[i].log2);
    set_dispatch(&c, 0, HEDDLE_DISPATCH_LOCAL_BYTES, cases[i].local_bytes);
    start(&c, 0);
    expect_end(&c, cases[i].good && (cases[i].kind != PROGRAMMABLE || units() != 0) ? 0 : HEDDLE_FAULT_BAD_DISPATCH);
  }
  chosen_close(&c);
}

Test(kinds, only_programmable_units_need_private_memory) {
  struct chosen c = chosen_open();
  expect_runs(&c, FIRST);
  write_dispatch(&c, 0, KERNEL_EMPTY);
  set_dispatch(&c, 0, HEDDLE_DISPATCH_PRIVATE_BASE, 0);
  start(&c, 0);
  expect_end(&c, HEDDLE_FAULT_BAD_DISPATCH);
  chosen_close(&c);
}

Test(kinds, one_that_is_not_there_is_a_bad_dispatch) {
  struct chosen c = chosen_open();
  static const uint32_t none[] = {KINDS, 4, 15, 16, 17, 64 + FIRST, 127};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    write_test_dispatch(&c, 0, none[i]);
    start(&c, 0);
    expect_end(&c, HEDDLE_FAULT_BAD_DISPATCH);
  }
  // The upper bits of the word are not the walker's.
  write_test_dispatch(&c, 0, 5 * 128 + FIRST);
  start(&c, 0);
  expect_end(&c, 0);
  // A kind without units is not there.
  if (units() == 0) {
    write_dispatch(&c, 0, KERNEL_EMPTY);
    start(&c, 0);
    expect_end(&c, HEDDLE_FAULT_BAD_DISPATCH);
  } else {
    expect_runs(&c, PROGRAMMABLE);
  }
  chosen_close(&c);
}

// Units of a kind that a mask does not name are not started: they do not load the arguments.
static void check_unit_mask(const struct chosen *c, uint32_t kind, uint32_t mask, uint32_t units_that_run) {
  enum { GROUPS = 8 };
  put(c, COUNTER, 0);
  write_test_dispatch(c, 0, kind);
  set_sizes(c, 0, (const uint32_t[]){GROUPS, 1, 1}, (const uint32_t[]){1, 1, 1});
  set_dispatch(c, 0, HEDDLE_DISPATCH_SUB_GROUP_LOG2, mask << HEDDLE_DISPATCH_UNIT_MASK_SHIFT);
  start(c, 0);
  expect_end(c, units_that_run != 0 ? 0 : HEDDLE_FAULT_BAD_DISPATCH);
  const uint32_t groups = units_that_run != 0 ? GROUPS : 0;
  cr_expect_eq(get(c, COUNTER), groups, "kind %u, mask 0x%x: %u work-groups, expected %u", kind, mask, get(c, COUNTER),
               groups);
  cr_expect_eq(get_figure(c, HEDDLE_REG_CACHE_REQUESTS), 2 * groups + units_that_run);
}

Test(kinds, a_mask_names_units_of_its_kind) {
  struct chosen c = chosen_open();
  static const struct {
    uint32_t kind, mask, units;
  } cases[] = {{FIRST, 0, 2}, {FIRST, 1, 1},  {FIRST, 2, 1},  {FIRST, 3, 2},  {FIRST, 7, 2},  {FIRST, 4, 0},
               {FIRST, 8, 0}, {SECOND, 0, 1}, {SECOND, 1, 1}, {SECOND, 2, 0}, {SECOND, 3, 1}, {SECOND, 8, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_unit_mask(&c, cases[i].kind, cases[i].mask, cases[i].units);
  for (uint32_t mask = 1; mask < 4; mask++) {
    write_dispatch(&c, 0, KERNEL_EMPTY);
    set_dispatch(&c, 0, HEDDLE_DISPATCH_SUB_GROUP_LOG2, mask << HEDDLE_DISPATCH_UNIT_MASK_SHIFT);
    start(&c, 0);
    expect_end(&c, units() != 0 && (mask & 1) != 0 ? 0 : HEDDLE_FAULT_BAD_DISPATCH);
  }
  chosen_close(&c);
}

Test(kinds, a_fault_of_one_is_recorded_and_the_next_dispatch_runs) {
  struct chosen c = chosen_open();
  for (uint32_t kind = FIRST; kind <= SECOND; kind++) {
    write_test_dispatch(&c, 0, kind);
    set_sizes(&c, 0, (const uint32_t[]){40, 2, 1}, (const uint32_t[]){2, 1, 1});
    set_packet(&c, 0, HEDDLE_PACKET_WORDS + 2, 17);
    start(&c, 0);
    run_until_idle(&c);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_PC), 8);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_ADDRESS), COUNTER);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_GROUP_ID), 17);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_GROUP_ID + 4), 0);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_GROUP_ID + 8), 0);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_LANE), 1);
    expect_end(&c, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
    for (uint32_t next = units() == 0 ? FIRST : PROGRAMMABLE; next < KINDS; next++)
      expect_runs(&c, next);
  }
  if (units() != 0) {
    write_dispatch(&c, 0, KERNEL_FAULT);
    start(&c, 0);
    run_until_idle(&c);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_PC), fault_pc());
    expect_end(&c, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
    for (uint32_t next = PROGRAMMABLE; next < KINDS; next++)
      expect_runs(&c, next);
  }
  chosen_close(&c);
}

Test(kinds, a_stop_and_a_budget_end_a_dispatch_of_any) {
  struct chosen c = chosen_open();
  for (uint32_t kind = FIRST; kind <= SECOND; kind++) {
    write_test_dispatch(&c, 0, kind);
    set_sizes(&c, 0, (const uint32_t[]){4000, 1, 1}, (const uint32_t[]){2, 1, 1});
    start(&c, 0);
    run_a_little(&c);
    set_control(&c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
    expect_end(&c, HEDDLE_FAULT_STOPPED);
    set_dispatch(&c, 0, HEDDLE_DISPATCH_BUDGET, 500);
    start(&c, 0);
    expect_end(&c, HEDDLE_FAULT_BUDGET_SPENT);
    cr_expect_lt(get_figure(&c, HEDDLE_REG_CYCLES), 700);
    expect_runs(&c, kind);
    expect_runs(&c, kind == FIRST ? SECOND : FIRST);
  }
  chosen_close(&c);
}

Test(kinds, dispatches_of_several_run_one_after_the_other) {
  struct chosen c = chosen_open();
  if (units() == 0)
    cr_skip_test("no programmable units");
  // The argument block of dispatch n lies where dispatch n + 1 would be.
  for (uint32_t i = 0; i < 12; i++) {
    const uint32_t kind = i % KINDS;
    if (kind == PROGRAMMABLE) {
      write_dispatch(&c, 2 * i, KERNEL_LOG);
    } else {
      write_test_dispatch(&c, 2 * i, kind);
      set_packet(&c, 2 * i, HEDDLE_PACKET_WORDS + 0, ROWS + 0x1000 * i);
    }
  }
  put(&c, COUNTER, 0);
  for (uint32_t i = 0; i < 12; i++) {
    for (int runs = 0; get_control(&c, HEDDLE_REG_STATUS) & HEDDLE_STATUS_WAITS; runs++) {
      cr_assert_lt(runs, 10000);
      c.api->run(c.device, 10);
    }
    start(&c, 2 * i);
  }
  run_until_idle(&c);
  cr_expect_eq(get_control(&c, HEDDLE_REG_ENDED), 12);
  cr_expect_eq(get(&c, COUNTER), 8);
  EXPECT_LOG(&c, 0, 6, 12, 18);
  for (uint32_t i = 0; i < 12; i++)
    cr_expect_eq(get(&c, ROWS + 0x1000 * i + 12) >> 24, i % KINDS);
  chosen_close(&c);
}
