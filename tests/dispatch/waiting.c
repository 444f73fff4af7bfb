// SPDX-License-Identifier: Apache-2.0
// The walker's registers (contract/DEVICE.md, "Control registers"): one dispatch runs, one may wait for it, and what is
// left of both.
#include <criterion/criterion.h>

#include "contract/version.h"
#include "tests/dispatch/chosen.h"

enum { BUSY = HEDDLE_STATUS_BUSY, FAULT = HEDDLE_STATUS_FAULT, WAITS = HEDDLE_STATUS_WAITS };

static void expect_status(const struct chosen *c, uint32_t expected, uint32_t ended) {
  const uint32_t status = get_control(c, HEDDLE_REG_STATUS), came = get_control(c, HEDDLE_REG_ENDED);
  cr_expect_eq(status, expected, "%s: STATUS is %u, expected %u", c->api->name, status, expected);
  cr_expect_eq(came, ended, "%s: %u dispatches have ended, expected %u", c->api->name, came, ended);
}

static void expect_reason(const struct chosen *c, uint32_t expected) {
  const uint32_t reason = get_control(c, HEDDLE_REG_FAULT_REASON);
  cr_expect_eq(reason, expected, "%s: reason %u, expected %u", c->api->name, reason, expected);
}

static void command(const struct chosen *c, uint32_t which) {
  set_control(c, HEDDLE_REG_COMMAND, which);
}

static void start(const struct chosen *c, uint32_t number) {
  start_at(c, dispatch_at(number));
}

Test(waiting, the_device_says_which_version_it_was_made_of) {
  struct chosen c = chosen_open();
  const uint32_t version = get_control(&c, HEDDLE_REG_FEATURES) >> HEDDLE_FEATURE_VERSION_SHIFT;
  cr_assert_eq(version, HEDDLE_VERSION_NUMBER, "version 0x%06x, not 0x%06x", version, HEDDLE_VERSION_NUMBER);
  chosen_close(&c);
}

Test(waiting, a_dispatch_that_waits_starts_when_the_one_before_has_ended) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 1, KERNEL_LOG);
  expect_status(&c, 0, 0);
  start(&c, 0);
  expect_status(&c, BUSY, 0);
  start(&c, 1);
  expect_status(&c, BUSY | WAITS, 0);
  run_a_little(&c);
  expect_status(&c, BUSY | WAITS, 0);
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 0, 1);
  chosen_close(&c);
}

Test(waiting, one_after_the_other_many_dispatches_run) {
  struct chosen c = chosen_open();
  uint32_t numbers[20];
  for (uint32_t i = 0; i < 20; i++) {
    numbers[i] = i;
    write_dispatch(&c, i, i % 3 == 0 ? KERNEL_SLOW : KERNEL_LOG);
  }
  for (uint32_t i = 0; i < 20; i++) {
    for (int runs = 0; get_control(&c, HEDDLE_REG_STATUS) & WAITS; runs++) {
      cr_assert_lt(runs, 10000);
      c.api->run(c.device, 10);
    }
    start(&c, i);
  }
  run_until_idle(&c);
  expect_status(&c, 0, 20);
  expect_log(&c, numbers, 20);
  chosen_close(&c);
}

Test(waiting, a_third_start_is_ignored) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 1, KERNEL_LOG);
  write_dispatch(&c, 2, KERNEL_LOG);
  start(&c, 0);
  start(&c, 1);
  start(&c, 2);
  expect_status(&c, BUSY | WAITS, 0);
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 0, 1);
  start(&c, 2);
  run_until_idle(&c);
  expect_status(&c, 0, 3);
  EXPECT_LOG(&c, 2);
  chosen_close(&c);
}

Test(waiting, the_lowest_bits_of_an_address_do_not_count) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 1, KERNEL_LOG);
  start_at(&c, dispatch_at(1) + 127);
  run_until_idle(&c);
  EXPECT_LOG(&c, 1);
  chosen_close(&c);
}

Test(waiting, a_dispatch_is_read_when_it_starts) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 1, KERNEL_FAULT);
  start(&c, 0);
  start(&c, 1);
  set_control(&c, HEDDLE_REG_DISPATCH, 0);  // of the next start, if one comes
  run_a_little(&c);
  write_dispatch(&c, 1, KERNEL_LOG);
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 0, 1);
  chosen_close(&c);
}

Test(waiting, figures_of_the_dispatch_before_are_kept) {
  static const uint32_t regs[] = {
      HEDDLE_REG_CYCLES,          HEDDLE_REG_ISSUES,         HEDDLE_REG_ACTIVE_LANES,
      HEDDLE_REG_GROUPS_DONE,     HEDDLE_REG_START,          HEDDLE_REG_MEMORY_WAIT_CYCLES,
      HEDDLE_REG_CONFLICT_CYCLES, HEDDLE_REG_CACHE_REQUESTS, HEDDLE_REG_CACHE_MISSES,
      HEDDLE_REG_MEMORY_REQUESTS,
  };
  enum { REGS = sizeof regs / sizeof regs[0] };
  struct chosen c = chosen_open();
  uint64_t figures[REGS];
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 1, KERNEL_LOG);
  const uint64_t before = get_figure(&c, HEDDLE_REG_CLOCK);
  start(&c, 0);
  run_until_idle(&c);
  for (int i = 0; i < REGS; i++)
    figures[i] = get_figure(&c, regs[i]);
  cr_expect_eq(figures[1], 1 + 2 * SLOW_ROUNDS + 9, "%s: issues", c.api->name);
  cr_expect_eq(figures[2], figures[1], "%s: of one lane", c.api->name);
  cr_expect_eq(figures[3], 1, "%s: work-groups", c.api->name);
  cr_expect_geq(figures[4], before, "%s: start", c.api->name);
  cr_expect_leq(figures[4] + figures[0], get_figure(&c, HEDDLE_REG_CLOCK), "%s: end", c.api->name);

  // By itself, then waiting: either way what the first left is there behind the second.
  for (int waits = 0; waits < 2; waits++) {
    if (waits)
      start(&c, 0);
    start(&c, 1);
    run_until_idle(&c);
    for (int i = 0; i < REGS; i++) {
      const uint64_t came = get_figure(&c, regs[i] + HEDDLE_REG_PREVIOUS);
      if (waits == 0) {
        cr_expect_eq(came, figures[i], "%s: figure 0x%x was %lu, of the one before it is %lu", c.api->name, regs[i],
                     (unsigned long)figures[i], (unsigned long)came);
      } else if (i >= 1 && i <= 3) {
        cr_expect_eq(came, figures[i], "%s: figure 0x%x is %lu, expected %lu", c.api->name, regs[i],
                     (unsigned long)came, (unsigned long)figures[i]);
      }
    }
    cr_expect_eq(get_figure(&c, HEDDLE_REG_ISSUES), 9);
    const uint64_t end = get_figure(&c, HEDDLE_REG_START + HEDDLE_REG_PREVIOUS) +
                         get_figure(&c, HEDDLE_REG_CYCLES + HEDDLE_REG_PREVIOUS);
    cr_expect_leq(end, get_figure(&c, HEDDLE_REG_START), "%s: the second starts before the first ends", c.api->name);
  }
  chosen_close(&c);
}

Test(waiting, after_a_fault_the_one_that_waits_starts_when_told_to_go_on) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_FAULT);
  write_dispatch(&c, 1, KERNEL_LOG);
  write_dispatch(&c, 2, KERNEL_LOG);
  start(&c, 0);
  start(&c, 1);
  run_until_idle(&c);
  expect_status(&c, FAULT | WAITS, 1);
  expect_reason(&c, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
  cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_PC), fault_pc());
  cr_expect_eq(get_figure(&c, HEDDLE_REG_ISSUES), 1 + 2 * SLOW_ROUNDS);
  start(&c, 2);  // ignored
  run_until_idle(&c);
  expect_status(&c, FAULT | WAITS, 1);
  expect_log(&c, NULL, 0);
  command(&c, HEDDLE_COMMAND_GO_ON);
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 1);
  chosen_close(&c);
}

Test(waiting, a_start_after_a_fault_waits_until_that_is_answered) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_FAULT);
  write_dispatch(&c, 1, KERNEL_LOG);
  for (uint32_t round = 0; round < 2; round++) {
    start(&c, 0);
    run_until_idle(&c);
    expect_status(&c, FAULT, 3 * round + 1);
    start(&c, 1);
    run_until_idle(&c);
    expect_status(&c, FAULT | WAITS, 3 * round + 1);
    expect_reason(&c, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
    command(&c, HEDDLE_COMMAND_GO_ON);
    run_until_idle(&c);
    expect_status(&c, 0, 3 * round + 2);
    EXPECT_LOG(&c, 1);
    start(&c, 0);
    run_until_idle(&c);
    command(&c, HEDDLE_COMMAND_GO_ON);
    expect_status(&c, 0, 3 * round + 3);
  }
  start(&c, 1);
  run_until_idle(&c);
  EXPECT_LOG(&c, 1);
  chosen_close(&c);
}

Test(waiting, go_on_and_forget_do_nothing_when_there_is_nothing_to_answer) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 1, KERNEL_LOG);
  command(&c, HEDDLE_COMMAND_GO_ON);
  command(&c, HEDDLE_COMMAND_FORGET);
  expect_status(&c, 0, 0);
  start(&c, 0);
  command(&c, HEDDLE_COMMAND_FORGET);
  start(&c, 1);
  command(&c, HEDDLE_COMMAND_GO_ON);
  expect_status(&c, BUSY | WAITS, 0);
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 0, 1);
  chosen_close(&c);
}

Test(waiting, the_one_that_waits_can_be_forgotten) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 1, KERNEL_LOG);
  write_dispatch(&c, 2, KERNEL_LOG);
  write_dispatch(&c, 3, KERNEL_FAULT);
  start(&c, 0);
  start(&c, 1);
  command(&c, HEDDLE_COMMAND_FORGET);
  expect_status(&c, BUSY, 0);
  start(&c, 2);  // in its place
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 0, 2);

  start(&c, 3);
  start(&c, 1);
  run_until_idle(&c);
  expect_status(&c, FAULT | WAITS, 3);
  command(&c, HEDDLE_COMMAND_FORGET);
  expect_status(&c, FAULT, 3);
  expect_reason(&c, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
  command(&c, HEDDLE_COMMAND_GO_ON);
  run_until_idle(&c);
  expect_status(&c, 0, 3);
  start(&c, 2);
  run_until_idle(&c);
  expect_status(&c, 0, 4);
  EXPECT_LOG(&c, 2);
  chosen_close(&c);
}

Test(waiting, the_one_that_runs_can_be_stopped_and_the_other_goes_on) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_FOREVER);
  write_dispatch(&c, 1, KERNEL_LOG);
  start(&c, 0);
  start(&c, 1);
  cr_assert_eq(c.api->run(c.device, 3000), 0, "%s: an endless loop has ended", c.api->name);
  expect_status(&c, BUSY | WAITS, 0);
  command(&c, HEDDLE_COMMAND_STOP);
  run_until_idle(&c);
  expect_status(&c, FAULT | WAITS, 1);
  expect_reason(&c, HEDDLE_FAULT_STOPPED);
  command(&c, HEDDLE_COMMAND_GO_ON);
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 1);
  chosen_close(&c);
}

Test(waiting, one_that_spends_its_budget_keeps_the_other_waiting) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_FOREVER);
  write_dispatch(&c, 1, KERNEL_LOG);
  set_dispatch(&c, 0, HEDDLE_DISPATCH_BUDGET, 3000);
  start(&c, 0);
  start(&c, 1);
  run_until_idle(&c);
  expect_status(&c, FAULT | WAITS, 1);
  expect_reason(&c, HEDDLE_FAULT_BUDGET_SPENT);
  set_dispatch(&c, 1, HEDDLE_DISPATCH_BUDGET, 3000);  // one that it does not spend
  command(&c, HEDDLE_COMMAND_GO_ON);
  run_until_idle(&c);
  expect_status(&c, 0, 2);
  EXPECT_LOG(&c, 1);
  chosen_close(&c);
}

Test(waiting, a_bad_dispatch_that_waits_is_refused_when_its_turn_comes) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 1, KERNEL_LOG);
  write_dispatch(&c, 2, KERNEL_LOG);
  set_dispatch(&c, 1, HEDDLE_DISPATCH_LOCAL_BYTES, 2);
  start(&c, 0);
  start(&c, 1);
  run_until_idle(&c);
  expect_status(&c, FAULT, 2);
  expect_reason(&c, HEDDLE_FAULT_BAD_DISPATCH);
  EXPECT_LOG(&c, 0);
  cr_expect_eq(get_figure(&c, HEDDLE_REG_ISSUES), 0);
  cr_expect_eq(get_figure(&c, HEDDLE_REG_ISSUES + HEDDLE_REG_PREVIOUS), 1 + 2 * SLOW_ROUNDS + 9);
  start(&c, 2);
  command(&c, HEDDLE_COMMAND_GO_ON);
  run_until_idle(&c);
  expect_status(&c, 0, 3);
  EXPECT_LOG(&c, 2);
  chosen_close(&c);
}

// Bits 6 to 0 of word 7; those above are not the walker's.
Test(waiting, a_dispatch_that_names_a_kind_of_unit_that_is_not_there_is_a_bad_one) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_LOG);
  for (uint32_t bit = 0; bit < 32; bit++) {
    set_dispatch(&c, 0, HEDDLE_DISPATCH_KIND, 1u << bit);
    start(&c, 0);
    run_until_idle(&c);
    expect_status(&c, bit < 7 ? FAULT : 0, bit + 1);
    if (bit < 7) {
      expect_reason(&c, HEDDLE_FAULT_BAD_DISPATCH);
      command(&c, HEDDLE_COMMAND_GO_ON);
    } else {
      EXPECT_LOG(&c, 0);
    }
  }
  chosen_close(&c);
}

Test(waiting, a_dispatch_that_is_not_in_global_memory_is_a_bad_one) {
  struct chosen c = chosen_open();
  const uint32_t bad[] = {0,
                          0xF80,
                          c.first_global - 128,
                          c.global_bytes,
                          HEDDLE_LOCAL_BASE,
                          HEDDLE_PRIVATE_BASE,
                          HEDDLE_CONTROL_BASE,
                          UINT32_MAX};
  enum { BAD = sizeof bad / sizeof bad[0] };
  for (uint32_t i = 0; i < BAD; i++) {
    start_at(&c, bad[i]);
    run_until_idle(&c);
    expect_status(&c, FAULT, i + 1);
    expect_reason(&c, HEDDLE_FAULT_BAD_DISPATCH);
    cr_expect_eq(get_control(&c, HEDDLE_REG_FAULT_PC), 0);
    command(&c, HEDDLE_COMMAND_GO_ON);
  }
  // The first and the last place are good.
  const uint32_t good[] = {c.first_global, c.global_bytes - 128};
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t words[HEDDLE_DISPATCH_WORDS];
    write_dispatch(&c, 0, KERNEL_EMPTY);
    cr_assert_eq(c.api->read(c.device, dispatch_at(0), words, sizeof words), 0);
    cr_assert_eq(c.api->write(c.device, good[i], words, sizeof words), 0);
    start_at(&c, good[i]);
    run_until_idle(&c);
    expect_status(&c, 0, BAD + i + 1);
    cr_expect_eq(get_figure(&c, HEDDLE_REG_ISSUES), 1);
  }
  chosen_close(&c);
}
