// SPDX-License-Identifier: Apache-2.0
// The driver's dispatches and commands in flight on the golden model: HEDDLE_SIM_PROCESSOR=1 has the firmware carry
// them out, 0 the driver itself. Nothing here knows which.
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "host/device/driver.h"
#include "host/transport/sim.h"
#include "tests/model/encode.h"

enum { COMPLETE = HEDDLE_RECORD_COMPLETE, IN_FLIGHT = HEDDLE_RING_COMMANDS };

struct bench {
  struct heddle_device *device;
  uint32_t store, slow, illegal, forever;  // addresses of kernels
  uint32_t data;                           // 64 KiB
};

static uint32_t place(struct heddle_device *device, const uint32_t *words, size_t bytes) {
  uint32_t address = 0;
  cr_assert_eq(heddle_device_allocate(device, (uint32_t)bytes, 64, &address), 0);
  cr_assert_eq(heddle_device_write(device, address, words, bytes), 0);
  return address;
}

static struct bench bench_open(void) {
  struct bench b = {0};
  struct heddle_link link;
  struct heddle_error error = {""};
  cr_assert_eq(heddle_sim_open(HEDDLE_SIM_MODEL, &link, &error), 0, "%s", error.text);
  cr_assert_eq(heddle_device_open(&link, &b.device, &error), 0, "%s", error.text);
  const char *asked = getenv("HEDDLE_SIM_PROCESSOR");
  const struct heddle_capabilities *capability = heddle_device_capability(b.device);
  cr_assert_eq(capability->features & HEDDLE_FEATURE_PROCESSOR, asked && strcmp(asked, "0") == 0 ? 0 : 1);
  // Stores its second argument to the address that is its first.
  const uint32_t store[] = {csrr(5, 0xCCD), lw(6, 5, 64), lw(7, 5, 68), sw(7, 6, 0), exit_item()};
  // The same, later.
  const uint32_t slow[] = {addi(8, 0, 2000), addi(8, 8, -1), encode_b(BNE, 8, 0, -4),
                           csrr(5, 0xCCD),   lw(6, 5, 64),   lw(7, 5, 68),
                           sw(7, 6, 0),      exit_item()};
  const uint32_t illegal[] = {nop(), 0}, forever[] = {encode_jal(0, 0)};
  b.store = place(b.device, store, sizeof store);
  b.slow = place(b.device, slow, sizeof slow);
  b.illegal = place(b.device, illegal, sizeof illegal);
  b.forever = place(b.device, forever, sizeof forever);
  cr_assert_eq(heddle_device_allocate(b.device, 1 << 16, 64, &b.data), 0);
  cr_assert_geq(b.data, capability->first_global);
  static const uint8_t zeros[1 << 16];
  cr_assert_eq(heddle_device_write(b.device, b.data, zeros, sizeof zeros), 0);
  return b;
}

static void bench_close(struct bench *b) {
  heddle_device_close(b->device);
}

static uint32_t word_at(const struct bench *b, uint32_t address) {
  uint32_t word = 0;
  cr_assert_eq(heddle_device_read(b->device, address, &word, sizeof word), 0);
  return word;
}

static struct heddle_dispatch dispatch_of(uint32_t entry, const uint32_t arguments[2]) {
  return (struct heddle_dispatch){.entry = entry,
                                  .work_dim = 1,
                                  .global_size = {1, 1, 1},
                                  .local_size = {1, 1, 1},
                                  .sub_group_size = 1,
                                  .arguments = arguments,
                                  .argument_bytes = arguments ? 8 : 0};
}

// Submits a kernel that writes `value` to word `index` of the data.
static uint32_t submit_kernel(const struct bench *b, uint32_t entry, uint32_t index, uint32_t value,
                              const struct heddle_waits *waits) {
  const uint32_t arguments[2] = {b->data + 4 * index, value};
  const struct heddle_dispatch dispatch = dispatch_of(entry, arguments);
  uint32_t number = 0;
  cr_assert_eq(heddle_device_submit_dispatch(b->device, &dispatch, waits, &number), 0);
  return number;
}

static struct heddle_record collect(const struct bench *b, uint32_t number) {
  struct heddle_record record;
  memset(&record, 0xFF, sizeof record);
  cr_assert_eq(heddle_device_collect(b->device, number, NULL, NULL, &record), 0, "command %u", number);
  return record;
}

static void expect_status(const struct bench *b, uint32_t number, uint32_t status, uint32_t why) {
  const struct heddle_record record = collect(b, number);
  cr_assert_eq(record.status, status, "command %u: status %u, expected %u", number, record.status, status);
  cr_assert_eq(record.refused_why, why, "command %u: refused because of %u", number, record.refused_why);
}

Test(commands, a_dispatch_runs_to_its_end) {
  struct bench b = bench_open();
  const uint32_t arguments[2] = {b.data, 0x1234};
  struct heddle_dispatch dispatch = dispatch_of(b.store, arguments);
  struct heddle_figures figures;
  struct heddle_fault fault = {0};
  for (int i = 0; i < 200; i++) {
    memset(&figures, 0xFF, sizeof figures);
    cr_assert_eq(heddle_device_dispatch(b.device, &dispatch, NULL, NULL, &figures, &fault), 0);
    cr_assert_eq(figures.issues, 5);
    cr_assert_eq(figures.cycles, 5);
    cr_assert_eq(figures.active_lanes, 5);
    cr_assert_eq(figures.groups_done, 1);
    cr_assert(figures.memory_wait_cycles == 0 && figures.conflict_cycles == 0 && figures.cache_requests == 0);
  }
  cr_expect_eq(word_at(&b, b.data), 0x1234);
  dispatch.entry = b.illegal;
  cr_assert_eq(heddle_device_dispatch(b.device, &dispatch, NULL, NULL, &figures, &fault), 1);
  cr_expect_eq(fault.reason, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
  cr_expect_eq(fault.pc, b.illegal + 4);
  cr_expect_eq(figures.issues, 1);
  dispatch.entry = b.forever;
  dispatch.budget = 1000;
  cr_assert_eq(heddle_device_dispatch(b.device, &dispatch, NULL, NULL, &figures, &fault), 1);
  cr_expect_eq(fault.reason, HEDDLE_FAULT_BUDGET_SPENT);
  cr_expect_eq(figures.cycles, 1000);
  dispatch.entry = b.store;
  cr_assert_eq(heddle_device_dispatch(b.device, &dispatch, NULL, NULL, &figures, &fault), 0);
  bench_close(&b);
}

static bool stop_at_the_second(void *user, const struct heddle_figures *figures) {
  cr_assert_gt(figures->cycles, 0);
  return ++*(int *)user < 2;
}

Test(commands, progress_is_told_and_can_stop_what_runs) {
  struct bench b = bench_open();
  const struct heddle_dispatch dispatch = dispatch_of(b.forever, NULL);
  struct heddle_figures figures;
  struct heddle_fault fault = {0};
  int calls = 0;
  cr_assert_eq(heddle_device_dispatch(b.device, &dispatch, stop_at_the_second, &calls, &figures, &fault), 1);
  cr_expect_eq(fault.reason, HEDDLE_FAULT_STOPPED);
  cr_expect_eq(calls, 2);

  uint32_t number = 0;
  struct heddle_record record;
  cr_assert_eq(heddle_device_submit_dispatch(b.device, &dispatch, NULL, &number), 0);
  const uint32_t next = submit_kernel(&b, b.store, 3, 77, NULL);
  const uint32_t dependent = submit_kernel(&b, b.store, 4, 78, &(struct heddle_waits){1, {number}, false});
  calls = 0;
  cr_assert_eq(heddle_device_collect(b.device, number, stop_at_the_second, &calls, &record), 0);
  cr_expect_eq(record.status, HEDDLE_RECORD_FAULTED);
  cr_expect_eq(record.fault.reason, HEDDLE_FAULT_STOPPED);
  cr_expect_gt(record.figures.cycles, 0);
  cr_expect_eq(calls, 2);
  expect_status(&b, next, COMPLETE, 0);
  expect_status(&b, dependent, HEDDLE_RECORD_DID_NOT_RUN, 0);
  cr_expect_eq(word_at(&b, b.data + 12), 77);
  cr_expect_eq(word_at(&b, b.data + 16), 0);
  bench_close(&b);
}

Test(commands, many_dispatches_in_flight_have_their_own_arguments) {
  struct bench b = bench_open();
  for (uint32_t round = 0; round < 5; round++) {
    uint32_t numbers[IN_FLIGHT];
    for (uint32_t i = 0; i < IN_FLIGHT; i++) {
      numbers[i] = submit_kernel(&b, i % 4 == 0 ? b.slow : b.store, i, 1000 * round + i + 1, NULL);
      cr_assert_eq(numbers[i], round * IN_FLIGHT + i);
    }
    for (uint32_t i = 0; i < IN_FLIGHT; i++) {
      // In any order.
      const uint32_t at = round % 2 ? i * 5 % IN_FLIGHT : i;
      const struct heddle_record record = collect(&b, numbers[at]);
      cr_assert_eq(record.status, COMPLETE);
      cr_assert_eq(record.figures.issues, at % 4 == 0 ? 4006 : 5, "dispatch %u issued %lu", at,
                   (unsigned long)record.figures.issues);
    }
    for (uint32_t i = 0; i < IN_FLIGHT; i++)
      cr_assert_eq(word_at(&b, b.data + 4 * i), 1000 * round + i + 1);
  }
  bench_close(&b);
}

static uint32_t submit_fill(const struct bench *b, uint32_t to, uint32_t bytes, uint32_t word) {
  const struct heddle_fill fill = {to, bytes, &word, sizeof word};
  uint32_t number = 0;
  cr_assert_eq(heddle_device_submit_fill(b->device, &fill, NULL, &number), 0);
  return number;
}

static uint32_t submit_copy(const struct bench *b, uint32_t from, uint32_t to, uint32_t bytes,
                            const struct heddle_waits *waits) {
  const struct heddle_copy copy = {.source = from, .destination = to, .bytes = bytes, .rows = 1};
  uint32_t number = 0;
  cr_assert_eq(heddle_device_submit_copy(b->device, &copy, waits, &number), 0);
  return number;
}

Test(commands, copies_fills_and_markers_wait_and_are_recorded) {
  struct bench b = bench_open();
  uint32_t marker, last;
  const uint32_t kernel = submit_kernel(&b, b.slow, 0, 0xABCD, NULL);
  const uint32_t fill = submit_fill(&b, b.data + 16, 30000, 0x01020304);
  const uint32_t copy =
      submit_copy(&b, b.data, b.data + 32768, 32000, &(struct heddle_waits){2, {kernel, fill}, false});
  cr_assert_eq(heddle_device_submit_marker(b.device, &(struct heddle_waits){1, {copy}, false}, &marker), 0);
  const uint32_t all = submit_copy(&b, b.data + 32768, b.data + 4, 4, &(struct heddle_waits){.all = true});
  cr_assert_eq(heddle_device_submit_marker(b.device, NULL, &last), 0);
  uint64_t clock = 0;
  const uint32_t numbers[] = {kernel, fill, copy, marker, all, last};
  for (int i = 0; i < 6; i++) {
    const struct heddle_record record = collect(&b, numbers[i]);
    cr_assert_eq(record.status, COMPLETE, "command %u", numbers[i]);
    cr_expect(i == 0 || record.figures.issues == 0, "a copy has figures of a dispatch");
    cr_expect(i == 1 || record.start >= clock, "command %u started before what it waits for", numbers[i]);
    clock = record.start;
  }
  cr_expect_eq(word_at(&b, b.data + 32768), 0xABCD);
  cr_expect_eq(word_at(&b, b.data + 32768 + 16 + 29996), 0x01020304);
  cr_expect_eq(word_at(&b, b.data + 32768 + 16 + 30000), 0);
  cr_expect_eq(word_at(&b, b.data + 4), 0xABCD);
  bench_close(&b);
}

Test(commands, patterns_and_rows_are_what_a_loop_makes_of_them) {
  enum { BYTES = 16384, ROWS = 9, ROW = 37, FROM_PITCH = 50, TO_PITCH = 61, FROM = 3, TO = 12002 };
  struct bench b = bench_open();
  static uint8_t expected[BYTES], came[BYTES];
  uint8_t pattern[HEDDLE_FILL_PATTERN_MOST];
  for (uint32_t i = 0; i < sizeof pattern; i++)
    pattern[i] = (uint8_t)(i * 7 + 1);
  uint32_t number = 0;
  for (uint32_t size = 1, at = 0; size <= sizeof pattern; at += 11 * size + 128, size *= 2) {
    at = (at + size - 1) / size * size;
    const struct heddle_fill fill = {b.data + at, 11 * size, pattern, size};
    for (uint32_t i = 0; i < 11 * size; i++)
      expected[at + i] = pattern[i % size];
    cr_assert_eq(heddle_device_submit_fill(b.device, &fill, NULL, &number), 0);
    expect_status(&b, number, COMPLETE, 0);
  }
  const struct heddle_copy copy = {b.data + FROM, b.data + TO, ROW, ROWS, FROM_PITCH, TO_PITCH};
  for (uint32_t row = 0; row < ROWS; row++)
    memcpy(expected + TO + (size_t)row * TO_PITCH, expected + FROM + (size_t)row * FROM_PITCH, ROW);
  cr_assert_eq(heddle_device_submit_copy(b.device, &copy, NULL, &number), 0);
  expect_status(&b, number, COMPLETE, 0);
  cr_assert_eq(heddle_device_read(b.device, b.data, came, BYTES), 0);
  for (uint32_t i = 0; i < BYTES; i++)
    cr_assert_eq(came[i], expected[i], "byte %u is 0x%x, expected 0x%x", i, came[i], expected[i]);
  static const uint32_t no_sizes[] = {0, 3, 12, 256};
  for (size_t i = 0; i < sizeof no_sizes / sizeof *no_sizes; i++) {
    const struct heddle_fill fill = {b.data, 256, pattern, no_sizes[i]};
    cr_assert_eq(heddle_device_submit_fill(b.device, &fill, NULL, &number), -EINVAL);
  }
  const struct heddle_copy beyond = {b.data, b.data + TO, 4, 3, 0, UINT32_MAX / 2};
  cr_assert_eq(heddle_device_submit_copy(b.device, &beyond, NULL, &number), 0);
  expect_status(&b, number, HEDDLE_RECORD_REFUSED, HEDDLE_REFUSED_RANGE);
  bench_close(&b);
}

// With 100 MHz, a link as fast as memory, and 100 microseconds that the device is idle for the host.
Test(commands, the_device_moves_what_the_host_would_move_later) {
  struct bench b = bench_open();
  const bool has_processor = (heddle_device_capability(b.device)->features & HEDDLE_FEATURE_PROCESSOR) != 0;
  cr_expect_eq(heddle_device_fills(b.device, 1), has_processor);
  cr_expect_eq(heddle_device_fills(b.device, 1024), has_processor);
  cr_expect_not(heddle_device_fills(b.device, 1 << 16));
  struct heddle_copy copy = {.source = b.data, .destination = b.data + 4096, .bytes = 256, .rows = 1};
  cr_expect_eq(heddle_device_copies(b.device, &copy), has_processor);
  copy.bytes = 600;
  cr_expect_eq(heddle_device_copies(b.device, &copy), has_processor);
  copy.source++;  // words of it lie across words of the destination
  cr_expect_not(heddle_device_copies(b.device, &copy));
  copy = (struct heddle_copy){b.data, b.data + 4096, 4, 100, 8, 8};
  cr_expect_not(heddle_device_copies(b.device, &copy));
  bench_close(&b);
}

static bool opens_with(const char *value) {
  struct heddle_device *device = NULL;
  struct heddle_link link;
  struct heddle_error error = {""};
  setenv("HEDDLE_DEVICE_TRANSFERS", value, 1);
  cr_assert_eq(heddle_sim_open(HEDDLE_SIM_MODEL, &link, &error), 0, "%s", error.text);
  const int result = heddle_device_open(&link, &device, &error);
  if (result != 0) {
    cr_expect_neq(strstr(error.text, "HEDDLE_DEVICE_TRANSFERS must be 0 or 1"), NULL, "%s", error.text);
    return false;
  }
  const bool has_processor = (heddle_device_capability(device)->features & HEDDLE_FEATURE_PROCESSOR) != 0;
  const bool asked = strcmp(value, "1") == 0;
  const struct heddle_copy copy = {.bytes = asked ? 1 << 20 : 1, .rows = 1};
  cr_expect_eq(heddle_device_fills(device, copy.bytes), asked && has_processor);
  cr_expect_eq(heddle_device_copies(device, &copy), asked && has_processor);
  heddle_device_close(device);
  return true;
}

Test(commands, who_moves_bytes_can_be_said) {
  cr_expect(opens_with("0"));
  cr_expect(opens_with("1"));
  cr_expect_not(opens_with("2"));
  cr_expect_not(opens_with("device"));
}

Test(commands, what_is_wrong_is_refused_and_the_rest_runs) {
  struct bench b = bench_open();
  uint32_t number = 0;
  const uint32_t first = heddle_device_capability(b.device)->first_global;
  const uint32_t end = heddle_device_capability(b.device)->global_bytes;
  expect_status(&b, submit_fill(&b, first - 16, 16, 0), HEDDLE_RECORD_REFUSED, HEDDLE_REFUSED_RANGE);
  expect_status(&b, submit_copy(&b, b.data, end - 4, 8, NULL), HEDDLE_RECORD_REFUSED, HEDDLE_REFUSED_RANGE);
  number = submit_copy(&b, UINT32_MAX, b.data, 8, NULL);
  expect_status(&b, number, HEDDLE_RECORD_REFUSED, HEDDLE_REFUSED_RANGE);
  cr_assert_eq(heddle_device_submit_marker(b.device, &(struct heddle_waits){1, {number + 1}, false}, &number), 0);
  expect_status(&b, number, HEDDLE_RECORD_REFUSED, HEDDLE_REFUSED_WAITS);
  cr_assert_eq(heddle_device_submit_marker(b.device, &(struct heddle_waits){5, {0}, false}, &number), 0);
  expect_status(&b, number, HEDDLE_RECORD_REFUSED, HEDDLE_REFUSED_WAITS);
  const uint32_t refused = number;
  cr_assert_eq(heddle_device_submit_marker(b.device, &(struct heddle_waits){1, {refused}, false}, &number), 0);
  expect_status(&b, number, HEDDLE_RECORD_DID_NOT_RUN, 0);
  expect_status(&b, submit_kernel(&b, b.store, 0, 5, NULL), COMPLETE, 0);
  cr_expect_eq(word_at(&b, b.data), 5);
  bench_close(&b);
}

Test(commands, faults_come_with_their_record_and_stop_what_waits_for_them) {
  struct bench b = bench_open();
  const uint32_t fault = submit_kernel(&b, b.illegal, 0, 0, NULL);
  const uint32_t dependent = submit_kernel(&b, b.store, 0, 1, &(struct heddle_waits){1, {fault}, false});
  const uint32_t other = submit_kernel(&b, b.store, 1, 2, NULL);
  uint32_t last = 0;
  cr_assert_eq(heddle_device_submit_marker(b.device, &(struct heddle_waits){2, {other, dependent}, false}, &last), 0);
  expect_status(&b, last, HEDDLE_RECORD_DID_NOT_RUN, 0);
  expect_status(&b, other, COMPLETE, 0);
  expect_status(&b, dependent, HEDDLE_RECORD_DID_NOT_RUN, 0);
  const struct heddle_record record = collect(&b, fault);
  cr_expect_eq(record.status, HEDDLE_RECORD_FAULTED);
  cr_expect_eq(record.fault.reason, HEDDLE_FAULT_ILLEGAL_INSTRUCTION);
  cr_expect_eq(record.fault.pc, b.illegal + 4);
  cr_expect_eq(record.figures.issues, 1);
  cr_expect(word_at(&b, b.data) == 0 && word_at(&b, b.data + 4) == 2);
  bench_close(&b);
}

Test(commands, there_is_room_for_64_that_are_not_collected) {
  struct bench b = bench_open();
  uint32_t number = 0;
  struct heddle_record record;
  cr_expect_eq(heddle_device_collect(b.device, 0, NULL, NULL, &record), -ENOENT);
  for (uint32_t i = 0; i < IN_FLIGHT; i++)
    cr_assert_eq(heddle_device_submit_marker(b.device, NULL, &number), 0);
  cr_expect_eq(heddle_device_submit_marker(b.device, NULL, &number), -EAGAIN);
  const struct heddle_dispatch dispatch = dispatch_of(b.store, (uint32_t[2]){b.data, 3});
  struct heddle_figures figures;
  struct heddle_fault fault;
  cr_expect_eq(heddle_device_dispatch(b.device, &dispatch, NULL, NULL, &figures, &fault), -EAGAIN);
  collect(&b, 1);
  cr_expect_eq(heddle_device_collect(b.device, 1, NULL, NULL, &record), -ENOENT, "collected twice");
  cr_expect_eq(heddle_device_submit_marker(b.device, NULL, &number), -EAGAIN, "the oldest is still there");
  collect(&b, 0);
  cr_assert_eq(heddle_device_submit_marker(b.device, NULL, &number), 0);
  cr_expect_eq(number, IN_FLIGHT);
  cr_expect_eq(heddle_device_collect(b.device, IN_FLIGHT + 1, NULL, NULL, &record), -ENOENT);
  cr_expect_eq(heddle_device_collect(b.device, 0, NULL, NULL, &record), -ENOENT);
  collect(&b, IN_FLIGHT);
  cr_assert_eq(heddle_device_dispatch(b.device, &dispatch, NULL, NULL, &figures, &fault), 0);
  bench_close(&b);
}

Test(commands, private_memory_grows_behind_what_is_in_flight) {
  struct bench b = bench_open();
  // Writes the argument to the top of the private memory, waits, and stores what is there.
  const uint32_t code[] = {csrr(5, 0xCCD), lw(6, 5, 64),    lw(7, 5, 68),   csrr(2, 0xCCE),
                           sw(7, 2, -4),   addi(8, 0, 800), addi(8, 8, -1), encode_b(BNE, 8, 0, -4),
                           lw(7, 2, -4),   sw(7, 6, 0),     exit_item()};
  const uint32_t entry = place(b.device, code, sizeof code);
  uint32_t numbers[8];
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t arguments[2] = {b.data + 4 * i, 100 + i};
    struct heddle_dispatch dispatch = dispatch_of(entry, arguments);
    dispatch.stack_bytes = 3000u << i / 2;
    cr_assert_eq(heddle_device_submit_dispatch(b.device, &dispatch, NULL, &numbers[i]), 0);
  }
  for (uint32_t i = 0; i < 8; i++) {
    expect_status(&b, numbers[i], COMPLETE, 0);
    cr_expect_eq(word_at(&b, b.data + 4 * i), 100 + i);
  }
  bench_close(&b);
}

Test(commands, what_prints_is_not_submitted) {
  struct bench b = bench_open();
  struct heddle_dispatch dispatch = dispatch_of(b.store, (uint32_t[2]){b.data, 3});
  struct heddle_printed printed = {0};
  struct heddle_figures figures;
  struct heddle_fault fault;
  uint32_t number = 0;
  dispatch.printed = &printed;
  cr_expect_eq(heddle_device_submit_dispatch(b.device, &dispatch, NULL, &number), -EINVAL);
  const uint32_t before = submit_kernel(&b, b.slow, 0, 9, NULL);
  cr_assert_eq(heddle_device_dispatch(b.device, &dispatch, NULL, NULL, &figures, &fault), 0);
  cr_assert(printed.records && printed.bytes == 0);
  free(printed.records);
  expect_status(&b, before, COMPLETE, 0);
  cr_expect_eq(word_at(&b, b.data), 3, "the dispatch ran before what was in flight");
  bench_close(&b);
}

struct worker {
  struct bench *bench;
  uint32_t index;
};

// Each thread has a word, to which it writes by dispatches and by commands. While one of them has not come to collect
// its command, the others may fill the 64 places behind it: then they come again.
static void *work(void *argument) {
  const struct worker *w = argument;
  for (uint32_t i = 1; i <= 50; i++) {
    const uint32_t arguments[2] = {w->bench->data + 4 * w->index, i};
    const struct heddle_dispatch dispatch = dispatch_of(w->bench->store, arguments);
    struct heddle_figures figures;
    struct heddle_fault fault;
    uint32_t number = 0;
    int result;
    do
      result = i % 2 ? heddle_device_dispatch(w->bench->device, &dispatch, NULL, NULL, &figures, &fault)
                     : heddle_device_submit_dispatch(w->bench->device, &dispatch, NULL, &number);
    while (result == -EAGAIN && sched_yield() == 0);
    cr_assert_eq(result, 0);
    if (i % 2 == 0)
      collect(w->bench, number);
    cr_assert_eq(word_at(w->bench, arguments[0]), i);
  }
  return NULL;
}

Test(commands, threads_share_a_device) {
  enum { THREADS = 4 };
  struct bench b = bench_open();
  pthread_t threads[THREADS];
  struct worker workers[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) {
    workers[i] = (struct worker){&b, i};
    cr_assert_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (uint32_t i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  bench_close(&b);
}
