// SPDX-License-Identifier: Apache-2.0
// External memory that fails (contract/DEVICE.md, "memory error"): whatever access it is, the dispatch that runs ends
// with that fault and not with a wrong value, and the next one runs on what memory really holds. RTL only: the golden
// model's memory does not fail. Bytes that fail are read inverted.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dispatch/chosen.h"
#include "tests/dispatch/ring.h"

enum { MEMORY_ERROR = HEDDLE_FAULT_MEMORY_ERROR, LINE = 128 };

static void fail(const struct chosen *c, uint32_t address, uint32_t bytes) {
  cr_assert(c->fail_memory, "%s: memory that does not fail", c->api->name);
  c->fail_memory(c->device, address, bytes);
}

static void expect_fault(const struct chosen *c, uint32_t ended) {
  run_until_idle(c);
  const uint32_t status = get_control(c, HEDDLE_REG_STATUS), reason = get_control(c, HEDDLE_REG_FAULT_REASON);
  cr_assert_eq(status, HEDDLE_STATUS_FAULT, "STATUS is %u", status);
  cr_assert_eq(reason, MEMORY_ERROR, "reason %u, expected %u", reason, MEMORY_ERROR);
  cr_assert_eq(get_control(c, HEDDLE_REG_ENDED), ended);
}

static void expect_good(const struct chosen *c, uint32_t ended) {
  run_until_idle(c);
  const uint32_t status = get_control(c, HEDDLE_REG_STATUS), reason = get_control(c, HEDDLE_REG_FAULT_REASON);
  cr_assert_eq(status, 0, "STATUS is %u, reason %u", status, reason);
  cr_assert_eq(get_control(c, HEDDLE_REG_ENDED), ended);
}

// Dispatch 0 meets the bytes that fail, dispatch 1 is the same one afterwards. The host writes nothing in between, so
// that nothing but the device itself makes its cache forget.
static void check(uint32_t address, uint32_t bytes, enum kernel kernel) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, kernel);
  write_dispatch(&c, 1, kernel);
  for (uint32_t round = 0; round < 3; round++) {
    put(&c, DATA, round);  // so the cache begins empty
    fail(&c, address, bytes);
    start_at(&c, dispatch_at(0));
    expect_fault(&c, 2 * round + 1);
    fail(&c, 0, 0);
    set_control(&c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
    start_at(&c, dispatch_at(1));
    expect_good(&c, 2 * round + 2);
  }
  chosen_close(&c);
}

Test(memory_error, of_the_dispatch_itself) {
  check(dispatch_at(0), LINE, KERNEL_EMPTY);
  check(dispatch_at(0) + LINE - 4, 4, KERNEL_EMPTY);
}

Test(memory_error, of_the_kernels_instructions) {
  check(CODE + KERNEL_EMPTY * KERNEL_BYTES, 4, KERNEL_EMPTY);
  check(CODE + KERNEL_SLOW * KERNEL_BYTES, KERNEL_BYTES, KERNEL_SLOW);
}

Test(memory_error, of_what_it_loads) {
  check(LOG, LINE, KERNEL_LOG);
}

// The store is the kernel's last but one instruction: its row leaves when the work-group has ended.
Test(memory_error, of_what_it_stores_last) {
  struct chosen c = chosen_open();
  // Its place in the log is the last of a row, and the next one the first of another.
  enum { FIRST_ENTRY = LOG + 4 * 127 };
  put(&c, LOG, 126);
  write_dispatch(&c, 0, KERNEL_LOG);
  fail(&c, FIRST_ENTRY + 4, LINE);
  start_at(&c, dispatch_at(0));
  expect_good(&c, 1);
  fail(&c, FIRST_ENTRY + 4, LINE);
  start_at(&c, dispatch_at(0));
  expect_fault(&c, 2);
  cr_assert_eq(get(&c, LOG), 128);
  cr_assert_eq(get(&c, FIRST_ENTRY + 4), 0);
  fail(&c, 0, 0);
  set_control(&c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
  start_at(&c, dispatch_at(0));
  expect_good(&c, 3);
  cr_assert_eq(get(&c, LOG), 129);
  chosen_close(&c);
}

Test(memory_error, ends_a_dispatch_that_would_run_for_ever) {
  if (getenv("HEDDLE_DISPATCH_ON_BUS"))
    cr_skip_test("the host reads memory itself, and not through the device");
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_FOREVER);
  write_dispatch(&c, 1, KERNEL_LOG);
  start_at(&c, dispatch_at(0));
  run_a_little(&c);
  // What the host reads through the device fails: it may have been the kernel's line.
  fail(&c, DATA, LINE);
  get(&c, DATA);
  expect_fault(&c, 1);
  fail(&c, 0, 0);
  set_control(&c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
  cr_assert_eq(get(&c, DATA), 0);
  start_at(&c, dispatch_at(1));
  expect_good(&c, 2);
  EXPECT_LOG(&c, 1);
  chosen_close(&c);
}

// Without a dispatch it is the command processor's, and STATUS says so, too.
Test(memory_error, of_a_copy_stops_the_command_processor_which_can_be_started_again) {
  const char *lanes = getenv("HEDDLE_SIM_LANES");
  if (!lanes || strcmp(lanes, "8") != 0)
    cr_skip_test("there is no device of this shape with a command processor");
  struct ring r = ring_open(0);
  for (uint32_t round = 0; round < 2; round++) {
    RING_WRITE(&r, HEDDLE_RING_IS_COPY, .a = DATA, .b = DATA + 0x1000, .c = 256);
    fail(&r.c, DATA + 128, 4);
    ring_doorbell(&r);
    run_until_idle(&r.c);
    cr_assert_eq(get_control(&r.c, HEDDLE_REG_PROCESSOR_STATUS), HEDDLE_PROCESSOR_FAULT);
    cr_assert_eq(get_control(&r.c, HEDDLE_REG_PROCESSOR_FAULT_REASON), MEMORY_ERROR);
    cr_assert_eq(get_control(&r.c, HEDDLE_REG_STATUS), HEDDLE_STATUS_MEMORY_ERROR);
    fail(&r.c, 0, 0);
    set_control(&r.c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
    cr_assert_eq(get_control(&r.c, HEDDLE_REG_STATUS), 0);
    ring_start(&r, 0);
    put(&r.c, DATA + 128, 7 + round);
    const uint32_t copy = RING_WRITE(&r, HEDDLE_RING_IS_COPY, .a = DATA, .b = DATA + 0x1000, .c = 256);
    ring_finish(&r);
    ring_expect(&r, copy, HEDDLE_RECORD_COMPLETE, 0);
    cr_assert_eq(get(&r.c, DATA + 0x1000 + 128), 7 + round);
  }
  ring_close(&r);
}

// Of a dispatch in the ring it is the dispatch's, and the command processor goes on.
Test(memory_error, of_a_dispatch_in_the_ring_is_in_its_record) {
  const char *lanes = getenv("HEDDLE_SIM_LANES");
  if (!lanes || strcmp(lanes, "8") != 0)
    cr_skip_test("there is no device of this shape with a command processor");
  struct ring r = ring_open(0);
  write_dispatch(&r.c, 0, KERNEL_LOG);
  write_dispatch(&r.c, 1, KERNEL_LOG);
  const uint32_t bad = RING_WRITE(&r, HEDDLE_RING_IS_DISPATCH, .a = dispatch_at(0));
  fail(&r.c, LOG, 4);
  ring_finish(&r);
  ring_expect(&r, bad, HEDDLE_RECORD_FAULTED, 0);
  cr_assert_eq(ring_record(&r, bad, HEDDLE_RECORD_FAULT), MEMORY_ERROR);
  fail(&r.c, 0, 0);
  const uint32_t good = RING_WRITE(&r, HEDDLE_RING_IS_DISPATCH, .a = dispatch_at(1));
  ring_finish(&r);
  ring_expect(&r, good, HEDDLE_RECORD_COMPLETE, 0);
  EXPECT_LOG(&r.c, 1);
  ring_close(&r);
}

Test(memory_error, of_one_that_waits_behind_a_fault_is_its_own) {
  struct chosen c = chosen_open();
  write_dispatch(&c, 0, KERNEL_SLOW);
  write_dispatch(&c, 2, KERNEL_LOG);
  start_at(&c, dispatch_at(0));
  start_at(&c, dispatch_at(2));
  fail(&c, dispatch_at(2), LINE);
  expect_fault(&c, 2);
  fail(&c, 0, 0);
  EXPECT_LOG(&c, 0);
  chosen_close(&c);
}
