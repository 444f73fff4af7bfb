// SPDX-License-Identifier: Apache-2.0
// What the command processor makes of each command of its ring (contract/DEVICE.md, "The command processor").
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/model.h"
#include "tests/dispatch/ring.h"
#include "tests/model/encode.h"

enum {
  DISPATCH = HEDDLE_RING_IS_DISPATCH,
  COPY = HEDDLE_RING_IS_COPY,
  FILL = HEDDLE_RING_IS_FILL,
  MARKER = HEDDLE_RING_IS_MARKER,
  BARRIER = HEDDLE_RING_BARRIER,
  COMPLETE = HEDDLE_RECORD_COMPLETE,
  FAULTED = HEDDLE_RECORD_FAULTED,
  REFUSED = HEDDLE_RECORD_REFUSED,
  DID_NOT_RUN = HEDDLE_RECORD_DID_NOT_RUN,
};

// A dispatch of a kernel at place `number`, which commands have as their number.
static uint32_t write_kernel(struct ring *r, enum kernel kernel) {
  write_dispatch(&r->c, r->tail % 256, kernel);
  return RING_WRITE(r, DISPATCH, .a = dispatch_at(r->tail % 256));
}

static uint32_t write_kernel_behind(struct ring *r, enum kernel kernel, uint32_t waits_for) {
  write_dispatch(&r->c, r->tail % 256, kernel);
  return RING_WRITE(r, DISPATCH, BEHIND(waits_for), .a = dispatch_at(r->tail % 256));
}

static uint32_t issues_of(enum kernel kernel) {
  return kernel == KERNEL_LOG ? 9 : kernel == KERNEL_SLOW ? 1 + 2 * SLOW_ROUNDS + 9 : 1;
}

static void expect_issues(const struct ring *r, uint32_t number, uint32_t expected) {
  const uint64_t issues = ring_record_long(r, number, HEDDLE_RECORD_FIGURES);
  cr_assert_eq(issues, expected, "%s: the record of command %u has %lu issues, expected %u", r->c.api->name, number,
               (unsigned long)issues, expected);
}

Test(commands, a_dispatch_runs_and_its_record_has_its_figures) {
  struct ring r = ring_open(0);
  write_kernel(&r, KERNEL_LOG);
  const uint64_t before = get_figure(&r.c, HEDDLE_REG_CLOCK);
  ring_finish(&r);
  EXPECT_LOG(&r.c, 0);
  ring_expect(&r, 0, COMPLETE, 0);
  static const struct {
    uint32_t first, bytes;
  } parts[] = {{HEDDLE_REG_ISSUES, 24}, {HEDDLE_REG_MEMORY_REQUESTS, 24}, {HEDDLE_REG_CACHE_REQUESTS, 16}};
  uint32_t word = HEDDLE_RECORD_FIGURES;
  for (int part = 0; part < 3; part++) {
    for (uint32_t at = 0; at < parts[part].bytes; at += 4, word++) {
      const uint32_t expected = get_control(&r.c, parts[part].first + at), came = ring_record(&r, 0, word);
      cr_expect_eq(came, expected, "%s: word %u of the record is %u, figure 0x%x %u", r.c.api->name, word, came,
                   parts[part].first + at, expected);
    }
  }
  cr_assert_eq(word, HEDDLE_RECORD_WORDS);
  expect_issues(&r, 0, 9);
  cr_expect_eq(ring_record_long(&r, 0, HEDDLE_RECORD_START), get_figure(&r.c, HEDDLE_REG_START));
  cr_expect_eq(ring_record_long(&r, 0, HEDDLE_RECORD_CYCLES), get_figure(&r.c, HEDDLE_REG_CYCLES));
  cr_expect_geq(ring_record_long(&r, 0, HEDDLE_RECORD_START), before);
  ring_close(&r);
}

// A piece of memory with a pattern, on the device and here.
enum { PIECE = 4096 };
static uint8_t expected[PIECE], came[PIECE];

static void put_pattern(const struct ring *r) {
  for (uint32_t i = 0; i < PIECE; i++)
    expected[i] = (uint8_t)(i * 37 + i / 256 * 11 + 5);
  cr_assert_eq(r->c.api->write(r->c.device, DATA, expected, PIECE), 0);
}

static void expect_piece(const struct ring *r, const char *what, uint32_t a, uint32_t b, uint32_t count) {
  cr_assert_eq(r->c.api->read(r->c.device, DATA, came, PIECE), 0);
  for (uint32_t i = 0; i < PIECE; i++) {
    cr_assert_eq(came[i], expected[i], "%s: %s %u, %u, %u: byte %u is 0x%x, expected 0x%x", r->c.api->name, what, a, b,
                 count, i, came[i], expected[i]);
  }
}

// Whether a test takes all of its cases: not on the RTL, which is slow.
static bool is_whole(const struct ring *r) {
  return getenv("HEDDLE_TEST_LONG") || r->c.api == heddle_model_api();
}

Test(commands, a_copy_copies_its_bytes_and_no_others_however_they_lie) {
  struct ring r = ring_open(0);
  static const uint32_t counts[] = {0,  1,  2,  3,   4,   5,   7,   8,   31,  32,   33,   36,
                                    63, 64, 67, 255, 256, 257, 300, 515, 900, 1023, 1024, 1025};
  put_pattern(&r);
  for (uint32_t from = 0; from < 4; from++) {
    for (uint32_t to = 0; to < 4; to++) {
      // Of the RTL, which is slow, each count at some of the offsets.
      const uint32_t step = is_whole(&r) ? 1 : 5;
      for (uint32_t i = (from + to) % step; i < sizeof counts / sizeof counts[0]; i += step) {
        const uint32_t source = 16 + from, destination = 2048 + to;
        const uint32_t n = RING_WRITE(&r, COPY, .a = DATA + source, .b = DATA + destination, .c = counts[i]);
        memmove(expected + destination, expected + source, counts[i]);
        ring_finish(&r);
        ring_expect(&r, n, COMPLETE, 0);
        expect_piece(&r, "copy from, to, bytes", source, destination, counts[i]);
        put(&r.c, DATA + 16 + 4 * i, i * 0x01020305);
        memcpy(expected + 16 + (size_t)4 * i, &(uint32_t){i * 0x01020305}, 4);
      }
    }
  }
  ring_close(&r);
}

Test(commands, a_fill_repeats_its_word_from_the_destination_on) {
  struct ring r = ring_open(0);
  static const uint32_t counts[] = {0,  1,  2,   3,   4,   5,   6,   7,   8,    31,   32,  33,
                                    34, 67, 255, 256, 257, 258, 259, 770, 1023, 1027, 2050};
  static const uint8_t word[4] = {0xA1, 0xB2, 0xC3, 0xD4};
  put_pattern(&r);
  for (uint32_t to = 0; to < 4; to++) {
    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      const uint32_t destination = 128 + 16 * i + to, pattern = 0xD4C3B2A1;
      const uint32_t n = RING_WRITE(&r, FILL, .a = DATA + destination, .b = counts[i], .c = pattern);
      for (uint32_t k = 0; k < counts[i]; k++)
        expected[destination + k] = word[k % 4];
      ring_finish(&r);
      ring_expect(&r, n, COMPLETE, 0);
      expect_piece(&r, "fill at, -, bytes", destination, 0, counts[i]);
      put_pattern(&r);
    }
  }
  ring_close(&r);
}

Test(commands, a_copy_of_rows_copies_each_and_nothing_between) {
  static const struct {
    uint32_t from, to, bytes, more_rows, from_pitch, to_pitch;
  } boxes[] = {{16, 2048, 1, 0, 0, 0},
               {16, 2048, 1, 30, 1, 1},
               {17, 2050, 3, 40, 5, 7},
               {16, 2048, 64, 7, 64, 65},
               {19, 2049, 33, 9, 40, 100},
               {0, 2048, 100, 15, 0, 128},
               {16, 2048, 1100, 1, 20, 0x1000 - 2048 - 1100 - 1},
               {2000, 2048, 8, 20, (uint32_t)-16, 16},
               {16, 2048, 0, 9, 4, 4},
               {1, 3072, 12, 3, 12, (uint32_t)-12}};
  struct ring r = ring_open(0);
  for (uint32_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
    put_pattern(&r);
    const uint32_t n = RING_WRITE(&r, COPY, .a = DATA + boxes[i].from, .b = DATA + boxes[i].to, .c = boxes[i].bytes,
                                  .d = boxes[i].more_rows, .e = boxes[i].from_pitch, .f = boxes[i].to_pitch);
    for (uint32_t row = 0; row <= boxes[i].more_rows; row++) {
      memmove(expected + boxes[i].to + (int32_t)(row * boxes[i].to_pitch),
              expected + boxes[i].from + (int32_t)(row * boxes[i].from_pitch), boxes[i].bytes);
    }
    ring_finish(&r);
    ring_expect(&r, n, COMPLETE, 0);
    expect_piece(&r, "box number, -, bytes", i, 0, boxes[i].bytes);
  }
  ring_close(&r);
}

Test(commands, a_copy_ends_at_the_first_row_that_is_not_in_global_memory) {
  struct ring r = ring_open(0);
  const uint32_t first = r.c.first_global, end = r.c.global_bytes;
  const struct {
    uint32_t from, to, from_pitch, to_pitch;
  } boxes[] = {{DATA, DATA + 1024, 16, end - DATA - 1024 - 7},
               {DATA, DATA + 1024, end - DATA, 16},
               {DATA, DATA + 1024, 16, HEDDLE_RING_FIRST - DATA - 1024},
               {DATA, DATA + 1024, first - 1 - DATA, 16},
               {DATA, DATA + 1024, 16, HEDDLE_CONTROL_BASE - DATA - 1024},
               {DATA, DATA + 1024, HEDDLE_LOCAL_BASE - DATA, 16}};
  for (uint32_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
    put_pattern(&r);
    const uint32_t n = RING_WRITE(&r, COPY, .a = boxes[i].from, .b = boxes[i].to, .c = 8, .d = 5,
                                  .e = boxes[i].from_pitch, .f = boxes[i].to_pitch);
    memcpy(expected + 1024, expected, 8);
    ring_finish(&r);
    ring_expect(&r, n, REFUSED, HEDDLE_REFUSED_RANGE);
    expect_piece(&r, "box number", i, 0, 0);
  }
  ring_close(&r);
}

Test(commands, a_fill_repeats_the_pattern_that_it_names) {
  struct ring r = ring_open(0);
  static const uint32_t counts[] = {0, 1, 3, 4, 128, 255, 256, 257, 300, 512, 700, 1024, 1290, 1536};
  for (uint32_t to = 0; to < 4; to++) {
    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      const uint32_t pattern = 4 * (i % 2) + (i % 3 == 0), destination = 2048 + to;
      put_pattern(&r);
      const uint32_t n = RING_WRITE(&r, FILL, .a = DATA + destination, .b = counts[i], .d = DATA + pattern);
      for (uint32_t k = 0; k < counts[i]; k++)
        expected[destination + k] = expected[pattern + k % 256];
      ring_finish(&r);
      ring_expect(&r, n, COMPLETE, 0);
      expect_piece(&r, "pattern, at, bytes", pattern, destination, counts[i]);
    }
  }
  const uint32_t end = r.c.global_bytes;
  const uint32_t wrong[] = {4, HEDDLE_RING_FIRST, r.c.first_global - 1, end - 255, end, UINT32_MAX, HEDDLE_LOCAL_BASE};
  for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const uint32_t n = RING_WRITE(&r, FILL, .a = DATA, .b = 4, .d = wrong[i]);
    ring_finish(&r);
    ring_expect(&r, n, REFUSED, HEDDLE_REFUSED_RANGE);
  }
  const uint32_t last = RING_WRITE(&r, FILL, .a = DATA, .b = 4, .d = end - 256);
  ring_finish(&r);
  ring_expect(&r, last, COMPLETE, 0);
  ring_close(&r);
}

Test(commands, times_are_in_the_records_of_copies_and_markers) {
  struct ring r = ring_open(0);
  const uint64_t before = get_figure(&r.c, HEDDLE_REG_CLOCK);
  RING_WRITE(&r, FILL, .a = DATA, .b = 4096, .c = 7);
  RING_WRITE(&r, MARKER);
  RING_WRITE(&r, COPY, .a = DATA, .b = DATA + 8192, .c = 4096);
  ring_finish(&r);
  uint64_t end = before;
  for (uint32_t n = 0; n < 3; n++) {
    const uint64_t start = ring_record_long(&r, n, HEDDLE_RECORD_START);
    ring_expect(&r, n, COMPLETE, 0);
    cr_expect_leq(end, start, "%s: command %u starts before the one before it ends", r.c.api->name, n);
    end = start + ring_record_long(&r, n, HEDDLE_RECORD_CYCLES);
  }
  cr_expect_leq(end, get_figure(&r.c, HEDDLE_REG_CLOCK));
  cr_expect_geq(ring_record_long(&r, 0, HEDDLE_RECORD_CYCLES), 1000, "%s: a fill of 4 KiB in no time", r.c.api->name);
  ring_close(&r);
}

Test(commands, what_is_no_command_is_refused_and_the_next_one_runs) {
  struct ring r = ring_open(0);
  static const uint32_t kinds[] = {0,      6,          0x100,      0x106,      0x201,     0x401,
                                   0x8001, 0x80000001, 0x10000104, UINT32_MAX, 0x00010002};
  for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const uint32_t n = RING_WRITE(&r, kinds[i], .num_waits = 9, .a = 0, .b = 0, .c = UINT32_MAX);
    const uint32_t good = RING_WRITE(&r, MARKER);
    ring_finish(&r);
    ring_expect(&r, n, REFUSED, HEDDLE_REFUSED_KIND);
    cr_expect_eq(ring_record_long(&r, n, HEDDLE_RECORD_CYCLES), 0);
    ring_expect(&r, good, COMPLETE, 0);
  }
  ring_close(&r);
}

Test(commands, what_is_not_in_global_memory_is_refused) {
  struct ring r = ring_open(0);
  const uint32_t first = r.c.first_global, end = r.c.global_bytes;
  const struct {
    uint32_t address, bytes;
    bool good;
  } ranges[] = {
      {first, 16, true},
      {first - 1, 1, false},
      {first - 4, 8, false},
      {0, 4, false},
      {0x1000, 16, false},
      {HEDDLE_RING_FIRST, 64, false},
      {HEDDLE_RECORDS_FIRST + 0x1FFC, 8, false},
      {end - 16, 16, true},
      {end - 16, 17, false},
      {end, 1, false},
      {end, 0, true},
      {end + 1, 0, false},
      {first - 1, 0, false},
      {first, 0, true},
      {DATA, UINT32_MAX, false},
      {DATA, 0x80000000, false},
      {end - 4, UINT32_MAX, false},
      {HEDDLE_LOCAL_BASE, 4, false},
      {HEDDLE_PRIVATE_BASE, 4, false},
      {HEDDLE_CONTROL_BASE, 4, false},
      {UINT32_MAX, 1, false},
      {UINT32_MAX, 2, false},
      {UINT32_MAX - 3, 0x10000, false},
  };
  for (uint32_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
    const uint32_t address = ranges[i].address, bytes = ranges[i].bytes;
    const uint32_t other = bytes > 64 ? DATA : DATA + 0x1000;
    const uint32_t fill = RING_WRITE(&r, FILL, .a = address, .b = bytes, .c = 3);
    const uint32_t to = RING_WRITE(&r, COPY, .a = other, .b = address, .c = bytes);
    const uint32_t from = RING_WRITE(&r, COPY, .a = address, .b = other, .c = bytes);
    ring_finish(&r);
    const uint32_t status = ranges[i].good ? COMPLETE : REFUSED;
    ring_expect(&r, fill, status, HEDDLE_REFUSED_RANGE);
    ring_expect(&r, to, status, HEDDLE_REFUSED_RANGE);
    ring_expect(&r, from, status, HEDDLE_REFUSED_RANGE);
  }
  const uint32_t dispatches[] = {0,   0x1000,   HEDDLE_RING_FIRST, first - 128,      first - 1,
                                 end, end + 64, UINT32_MAX,        HEDDLE_LOCAL_BASE};
  for (uint32_t i = 0; i < sizeof dispatches / sizeof dispatches[0]; i++) {
    const uint32_t n = RING_WRITE(&r, DISPATCH, .a = dispatches[i]);
    ring_finish(&r);
    ring_expect(&r, n, REFUSED, HEDDLE_REFUSED_RANGE);
  }
  cr_expect_eq(get_control(&r.c, HEDDLE_REG_ENDED), 0, "%s: the walker got a dispatch", r.c.api->name);
  ring_close(&r);
}

Test(commands, waits_for_what_is_not_earlier_are_refused) {
  struct ring r = ring_open(0);
  RING_WRITE(&r, MARKER);
  for (uint32_t kind = DISPATCH; kind <= MARKER; kind++) {
    write_dispatch(&r.c, 0, KERNEL_LOG);
    const struct command good = {.kind = kind, .a = kind == DISPATCH ? dispatch_at(0) : DATA, .b = DATA + 4096, .c = 4};
    for (uint32_t i = 0; i < 7; i++) {
      struct command bad = good;
      const uint32_t numbers[] = {r.tail, r.tail + 1, r.tail + 63, r.tail + 0x7FFFFFFF, r.tail + 0x80000000};
      bad.num_waits = i == 5 ? 5 : i == 6 ? UINT32_MAX : 1 + i % 3;
      bad.waits[bad.num_waits > 4 ? 0 : bad.num_waits - 1] = i < 5 ? numbers[i] : 0;
      if (kind == FILL)
        bad.b = 8;
      const uint32_t n = ring_write(&r, &bad);
      ring_finish(&r);
      ring_expect(&r, n, REFUSED, HEDDLE_REFUSED_WAITS);
    }
  }
  expect_log(&r.c, NULL, 0);
  // All four are looked at, and no more than are asked for.
  const uint32_t n = RING_WRITE(&r, MARKER, BEHIND(0, 1, 2, r.tail));
  const uint32_t fine = RING_WRITE(&r, MARKER, .num_waits = 3, .waits = {0, n - 40, n - 50, r.tail});
  ring_finish(&r);
  ring_expect(&r, n, REFUSED, HEDDLE_REFUSED_WAITS);
  cr_expect_neq(ring_record(&r, fine, HEDDLE_RECORD_STATUS), REFUSED);
  ring_close(&r);
}

Test(commands, dispatches_run_in_order_and_a_dependent_one_follows_closely) {
  struct ring r = ring_open(0);
  write_kernel(&r, KERNEL_SLOW);
  write_kernel_behind(&r, KERNEL_SLOW, 0);
  write_kernel_behind(&r, KERNEL_LOG, 1);
  write_kernel(&r, KERNEL_SLOW);
  write_kernel_behind(&r, KERNEL_LOG, 3);
  ring_finish(&r);
  EXPECT_LOG(&r.c, 0, 1, 2, 3, 4);
  static const enum kernel kernels[] = {KERNEL_SLOW, KERNEL_SLOW, KERNEL_LOG, KERNEL_SLOW, KERNEL_LOG};
  for (uint32_t n = 0; n < 5; n++) {
    ring_expect(&r, n, COMPLETE, 0);
    expect_issues(&r, n, issues_of(kernels[n]));
  }
  for (uint32_t n = 1; n < 5; n++) {
    const uint64_t end =
        ring_record_long(&r, n - 1, HEDDLE_RECORD_START) + ring_record_long(&r, n - 1, HEDDLE_RECORD_CYCLES);
    const uint64_t start = ring_record_long(&r, n, HEDDLE_RECORD_START);
    cr_assert_leq(end, start, "%s: dispatch %u starts before the one before it ends", r.c.api->name, n);
    // Those behind slow ones are with the walker by then.
    if (kernels[n - 1] == KERNEL_SLOW) {
      cr_expect_leq(start - end, 150, "%s: dispatch %u starts %lu cycles after the one before it has ended",
                    r.c.api->name, n, (unsigned long)(start - end));
    }
  }
  ring_close(&r);
}

// Figures are kept of two dispatches only.
Test(commands, many_dispatches_in_a_row_all_have_their_own_figures) {
  struct ring r = ring_open(0);
  for (int round = 0; round < 3; round++) {
    uint32_t numbers[60], first = r.tail;
    enum kernel kernels[60];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 60; i++) {
      kernels[i] = (int)(i % 7) == round ? KERNEL_SLOW : i % 3 == 0 ? KERNEL_EMPTY : KERNEL_LOG;
      write_kernel(&r, kernels[i]);
      if (kernels[i] != KERNEL_EMPTY)
        numbers[count++] = (first + i) % 256;
    }
    ring_finish(&r);
    expect_log(&r.c, numbers, count);
    for (uint32_t i = 0; i < 60; i++) {
      ring_expect(&r, first + i, COMPLETE, 0);
      expect_issues(&r, first + i, issues_of(kernels[i]));
    }
  }
  ring_close(&r);
}

Test(commands, a_copy_that_waits_for_a_dispatch_sees_what_it_wrote) {
  struct ring r = ring_open(0);
  for (int with_barrier = 0; with_barrier < 2; with_barrier++) {
    const uint32_t slow = write_kernel(&r, KERNEL_SLOW), log = write_kernel(&r, KERNEL_LOG);
    const uint32_t copy = with_barrier ? RING_WRITE(&r, COPY | BARRIER, .a = LOG, .b = DATA, .c = 12)
                                       : RING_WRITE(&r, COPY, BEHIND(log), .a = LOG, .b = DATA, .c = 12);
    const uint32_t marker = RING_WRITE(&r, MARKER, BEHIND(copy, slow, log));
    put(&r.c, DATA, 0);
    ring_finish(&r);
    cr_expect_eq(get(&r.c, DATA), 2, "%s: the copy did not wait", r.c.api->name);
    ring_expect(&r, copy, COMPLETE, 0);
    ring_expect(&r, marker, COMPLETE, 0);
    const uint32_t numbers[] = {slow, log};
    expect_log(&r.c, numbers, 2);
    cr_expect_geq(ring_record_long(&r, copy, HEDDLE_RECORD_START),
                  ring_record_long(&r, log, HEDDLE_RECORD_START) + ring_record_long(&r, log, HEDDLE_RECORD_CYCLES));
  }
  ring_close(&r);
}

Test(commands, what_waits_for_nothing_runs_beside_a_dispatch_and_head_stays) {
  struct ring r = ring_open(0);
  write_kernel(&r, KERNEL_FOREVER);
  RING_WRITE(&r, FILL, .a = DATA, .b = 64, .c = 0x55AA55AA);
  RING_WRITE(&r, COPY, .a = DATA, .b = DATA + 64, .c = 64);
  RING_WRITE(&r, MARKER, BEHIND(1, 2));
  RING_WRITE(&r, MARKER, BEHIND(0));
  ring_doorbell(&r);
  cr_assert_eq(r.c.api->run(r.c.device, 40000), 0);
  cr_expect_eq(get(&r.c, DATA + 124), 0x55AA55AA, "%s: the copy waits for the dispatch", r.c.api->name);
  cr_expect_eq(ring_head(&r), 0, "%s: HEAD is %u", r.c.api->name, ring_head(&r));
  ring_expect(&r, 3, COMPLETE, 0);
  set_control(&r.c, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
  ring_finish(&r);
  ring_expect(&r, 0, FAULTED, 0);
  cr_expect_eq(ring_record(&r, 0, HEDDLE_RECORD_FAULT), HEDDLE_FAULT_STOPPED);
  ring_expect(&r, 4, DID_NOT_RUN, 0);
  ring_close(&r);
}

// While a copy takes its time.
Test(commands, dispatches_end_during_a_long_copy) {
  enum { BYTES = 0x10000 };
  struct ring r = ring_open(0);
  write_kernel(&r, KERNEL_SLOW);
  write_kernel(&r, KERNEL_LOG);
  RING_WRITE(&r, COPY, .a = DATA, .b = DATA + 0x80000, .c = BYTES);
  write_kernel(&r, KERNEL_LOG);
  put(&r.c, DATA + BYTES - 4, 0x1234);
  ring_doorbell(&r);
  int runs = 0;
  while (get_control(&r.c, HEDDLE_REG_SETTLED) < 2) {
    cr_assert_eq(r.c.api->run(r.c.device, 1000), 0);
    cr_assert_lt(++runs, 1000);
  }
  cr_expect_eq(get(&r.c, DATA + 0x80000 + BYTES - 4), 0, "%s: HEAD has not moved before the copy was done",
               r.c.api->name);
  expect_issues(&r, 0, issues_of(KERNEL_SLOW));
  expect_issues(&r, 1, 9);
  ring_finish(&r);
  cr_expect_eq(get(&r.c, DATA + 0x80000 + BYTES - 4), 0x1234);
  expect_issues(&r, 3, 9);
  EXPECT_LOG(&r.c, 0, 1, 3);
  ring_close(&r);
}

Test(commands, a_dispatch_that_faults_has_a_fault_record_and_stops_only_what_waits_for_it) {
  struct ring r = ring_open(0);
  static const enum kernel kernels[] = {KERNEL_FAULT, KERNEL_ILLEGAL};
  for (int slow = 0; slow < 2; slow++) {
    const uint32_t fault = write_kernel(&r, kernels[slow]);
    const uint32_t depends = write_kernel_behind(&r, KERNEL_LOG, fault);
    const uint32_t alone = write_kernel(&r, KERNEL_LOG);
    const uint32_t further = write_kernel_behind(&r, KERNEL_LOG, depends);
    const uint32_t marker = RING_WRITE(&r, MARKER, BEHIND(alone, further));
    const uint32_t barrier = RING_WRITE(&r, MARKER | BARRIER);
    const uint32_t fill = RING_WRITE(&r, FILL, BEHIND(fault), .a = DATA, .b = 4, .c = 1);
    const uint32_t another = write_kernel(&r, kernels[slow]);
    const uint32_t independent = write_kernel(&r, KERNEL_SLOW);
    write_dispatch(&r.c, r.tail, KERNEL_LOG);
    const uint32_t behind_bit = RING_WRITE(&r, DISPATCH | BARRIER, .a = dispatch_at(r.tail));
    ring_finish(&r);
    const uint32_t pc = slow == 0 ? fault_pc() : CODE + KERNEL_ILLEGAL * KERNEL_BYTES;
    const uint32_t faults[] = {fault, another};
    for (int i = 0; i < 2; i++) {
      ring_expect(&r, faults[i], FAULTED, 0);
      const uint32_t record[8] = {HEDDLE_FAULT_ILLEGAL_INSTRUCTION, pc};
      for (uint32_t word = 0; word < 8; word++) {
        cr_expect_eq(ring_record(&r, faults[i], HEDDLE_RECORD_FAULT + word), record[word], "%s: word %u of the fault",
                     r.c.api->name, word);
      }
      expect_issues(&r, faults[i], slow == 0 ? 1 + 2 * SLOW_ROUNDS : 0);
    }
    const uint32_t ran[] = {alone, independent, behind_bit};
    const uint32_t did_not[] = {depends, further, marker, fill};
    expect_log(&r.c, ran, 3);
    for (int i = 0; i < 3; i++)
      ring_expect(&r, ran[i], COMPLETE, 0);
    for (int i = 0; i < 4; i++)
      ring_expect(&r, did_not[i], DID_NOT_RUN, 0);
    ring_expect(&r, barrier, COMPLETE, 0);
    cr_expect_eq(get(&r.c, DATA), 0, "%s: the fill ran", r.c.api->name);
    expect_issues(&r, alone, 9);
    expect_issues(&r, independent, issues_of(KERNEL_SLOW));
  }
  ring_close(&r);
}

Test(commands, a_bad_dispatch_and_a_budget_that_is_spent_are_faults) {
  struct ring r = ring_open(0);
  const uint32_t bad = write_kernel(&r, KERNEL_LOG), good = write_kernel(&r, KERNEL_LOG);
  const uint32_t forever = write_kernel(&r, KERNEL_FOREVER), last = write_kernel(&r, KERNEL_LOG);
  set_dispatch(&r.c, bad, HEDDLE_DISPATCH_SUB_GROUP_LOG2, 6);
  set_dispatch(&r.c, forever, HEDDLE_DISPATCH_BUDGET, 2000);
  ring_finish(&r);
  ring_expect(&r, bad, FAULTED, 0);
  cr_expect_eq(ring_record(&r, bad, HEDDLE_RECORD_FAULT), HEDDLE_FAULT_BAD_DISPATCH);
  ring_expect(&r, forever, FAULTED, 0);
  cr_expect_eq(ring_record(&r, forever, HEDDLE_RECORD_FAULT), HEDDLE_FAULT_BUDGET_SPENT);
  const uint32_t numbers[] = {good, last};
  expect_log(&r.c, numbers, 2);
  ring_close(&r);
}

Test(commands, kernels_reach_nothing_that_is_the_command_processors) {
  struct ring r = ring_open(0);
  const uint32_t store = write_kernel(&r, KERNEL_RING), fetch = write_kernel(&r, KERNEL_LOG);
  set_dispatch(&r.c, fetch, HEDDLE_DISPATCH_ENTRY, HEDDLE_FIRMWARE_FIRST);
  ring_finish(&r);
  ring_expect(&r, store, FAULTED, 0);
  cr_expect_eq(ring_record(&r, store, HEDDLE_RECORD_FAULT), HEDDLE_FAULT_UNMAPPED);
  cr_expect_eq(ring_record(&r, store, HEDDLE_RECORD_FAULT + 2), HEDDLE_RING_FIRST);
  ring_expect(&r, fetch, FAULTED, 0);
  cr_expect_eq(ring_record(&r, fetch, HEDDLE_RECORD_FAULT), HEDDLE_FAULT_BAD_FETCH);
  ring_close(&r);
}

Test(commands, the_ring_goes_round_and_is_filled_faster_than_it_drains) {
  struct ring r = ring_open(0);
  // Three times round, and eight where that is quick.
  const uint32_t commands = is_whole(&r) ? 500 : 200;
  uint32_t checked = 0, fullest = 0;
  while (checked < commands) {
    while (r.tail < commands && r.tail - ring_head(&r) < HEDDLE_RING_COMMANDS) {
      // Command n writes word n of the data, in one of three ways.
      if (r.tail % 3 == 0)
        RING_WRITE(&r, FILL, .a = DATA + 4 * r.tail, .b = 4, .c = r.tail);
      else if (r.tail % 3 == 1)
        RING_WRITE(&r, COPY, BEHIND(r.tail - 1), .a = DATA + 4 * r.tail - 4, .b = DATA + 4 * r.tail, .c = 4);
      else
        write_kernel(&r, KERNEL_EMPTY);
    }
    ring_doorbell(&r);
    fullest = r.tail - ring_head(&r) > fullest ? r.tail - ring_head(&r) : fullest;
    r.c.api->run(r.c.device, 3000);
    for (const uint32_t head = ring_head(&r); checked != head; checked++)
      ring_expect(&r, checked, COMPLETE, 0);
  }
  cr_expect_eq(fullest, HEDDLE_RING_COMMANDS);
  for (uint32_t n = 0; n < commands; n++) {
    const uint32_t value = n % 3 == 0 ? n : n % 3 == 1 ? n - 1 : 0;
    cr_assert_eq(get(&r.c, DATA + 4 * n), value, "%s: command %u wrote %u", r.c.api->name, n, get(&r.c, DATA + 4 * n));
  }
  ring_close(&r);
}

Test(commands, failures_are_known_for_63_commands_and_then_count_as_ended_well) {
  struct ring r = ring_open(0);
  const uint32_t fault = write_kernel(&r, KERNEL_ILLEGAL);
  while (r.tail < 63)
    RING_WRITE(&r, MARKER);
  const uint32_t last = RING_WRITE(&r, MARKER, BEHIND(fault));
  ring_finish(&r);
  const uint32_t next = RING_WRITE(&r, MARKER, BEHIND(fault)), further = RING_WRITE(&r, MARKER, BEHIND(fault));
  const uint32_t late = RING_WRITE(&r, MARKER, BEHIND(r.tail - 0x7FFFFFFF, 0, 1, 2));
  ring_finish(&r);
  ring_expect(&r, last, DID_NOT_RUN, 0);
  ring_expect(&r, next, COMPLETE, 0);
  ring_expect(&r, further, COMPLETE, 0);
  ring_expect(&r, late, COMPLETE, 0);
  ring_close(&r);
}

Test(commands, before_the_first_command_all_ended_well) {
  struct ring r = ring_open(0);
  for (uint32_t i = 0; i < 64; i++)
    RING_WRITE(&r, 99);
  ring_finish(&r);
  ring_start(&r, 0);
  const uint32_t n = RING_WRITE(&r, MARKER, BEHIND(UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 40, UINT32_MAX - 62));
  ring_finish(&r);
  ring_expect(&r, n, COMPLETE, 0);
  ring_close(&r);
}

Test(commands, numbers_wrap_around) {
  const uint32_t first = UINT32_MAX - 9;
  struct ring r = ring_open(first);
  uint32_t written[2] = {0, 0};
  for (uint32_t i = 0; i < 20; i++) {
    const uint32_t n = r.tail;
    if (i % 5 == 0) {
      write_dispatch(&r.c, i, KERNEL_LOG);
      RING_WRITE(&r, DISPATCH, .num_waits = i == 0 ? 0 : 2, .waits = {n - 1, n - 5}, .a = dispatch_at(i));
    } else {
      RING_WRITE(&r, COPY, .num_waits = i == 1 ? 1 : 2, .waits = {n - 1, n - 2}, .a = LOG, .b = DATA + 4 * i, .c = 4);
    }
    written[i / 10] = n;
  }
  cr_assert(written[0] == UINT32_MAX && written[1] == 9);
  ring_finish(&r);
  EXPECT_LOG(&r.c, 0, 5, 10, 15);
  for (uint32_t i = 0; i < 20; i++) {
    ring_expect(&r, first + i, COMPLETE, 0);
    if (i % 5 != 0)
      cr_expect_eq(get(&r.c, DATA + 4 * i), i / 5 + 1, "%s: copy %u", r.c.api->name, i);
  }
  const uint32_t later = RING_WRITE(&r, MARKER, BEHIND(first)), own = RING_WRITE(&r, MARKER, BEHIND(r.tail));
  const uint32_t far = RING_WRITE(&r, MARKER, BEHIND(r.tail + 0x80000000));
  ring_finish(&r);
  ring_expect(&r, later, COMPLETE, 0);
  ring_expect(&r, own, REFUSED, HEDDLE_REFUSED_WAITS);
  ring_expect(&r, far, REFUSED, HEDDLE_REFUSED_WAITS);
  ring_close(&r);
}

Test(commands, a_restart_forgets_all_that_was_under_way) {
  struct ring r = ring_open(0);
  for (int round = 0; round < 3; round++) {
    write_kernel(&r, KERNEL_FOREVER);
    write_kernel(&r, KERNEL_LOG);
    write_kernel_behind(&r, KERNEL_LOG, 1);
    ring_doorbell(&r);
    cr_assert_eq(r.c.api->run(r.c.device, 20000), 0);
    ring_start(&r, 0);
    write_kernel(&r, KERNEL_LOG);
    write_kernel_behind(&r, KERNEL_LOG, 0);
    RING_WRITE(&r, FILL, BEHIND(1), .a = DATA, .b = 4, .c = 77);
    ring_finish(&r);
    EXPECT_LOG(&r.c, 0, 1);
    for (uint32_t n = 0; n < 3; n++)
      ring_expect(&r, n, COMPLETE, 0);
    expect_issues(&r, 1, 9);
    ring_start(&r, 0);
  }
  ring_close(&r);
}

Test(commands, a_firmware_that_faults_says_so_and_can_be_started_again) {
  struct ring r = ring_open(0);
  const uint32_t bad[2][2] = {{0x00000013, 0}, {0x00002003, 0}};  // nop; lw x0, 0(x0)
  const uint32_t reasons[] = {HEDDLE_FAULT_ILLEGAL_INSTRUCTION, HEDDLE_FAULT_UNMAPPED};
  for (uint32_t i = 0; i < 2; i++) {
    cr_assert_eq(r.c.api->write(r.c.device, HEDDLE_FIRMWARE_FIRST, bad[i], sizeof bad[i]), 0);
    set_control(&r.c, HEDDLE_REG_PROCESSOR, HEDDLE_PROCESSOR_START);
    set_control(&r.c, HEDDLE_REG_TAIL, 1);
    run_until_idle(&r.c);
    cr_expect_eq(get_control(&r.c, HEDDLE_REG_PROCESSOR_STATUS), HEDDLE_PROCESSOR_FAULT);
    cr_expect_eq(get_control(&r.c, HEDDLE_REG_PROCESSOR_FAULT_REASON), reasons[i]);
    cr_expect_eq(get_control(&r.c, HEDDLE_REG_PROCESSOR_FAULT_PC), HEDDLE_FIRMWARE_FIRST + (i == 0 ? 4 : 0));
  }
  ring_start(&r, 0);
  write_kernel(&r, KERNEL_LOG);
  ring_finish(&r);
  EXPECT_LOG(&r.c, 0);
  ring_close(&r);
}

Test(commands, a_firmware_that_returns_runs_no_more_and_can_be_started_again) {
  struct ring r = ring_open(0);
  const uint32_t end = exit_item();
  cr_assert_eq(r.c.api->write(r.c.device, HEDDLE_FIRMWARE_FIRST, &end, sizeof end), 0);
  set_control(&r.c, HEDDLE_REG_PROCESSOR, HEDDLE_PROCESSOR_START);
  set_control(&r.c, HEDDLE_REG_TAIL, 1);
  run_until_idle(&r.c);
  cr_expect_eq(get_control(&r.c, HEDDLE_REG_PROCESSOR_STATUS), 0);
  ring_start(&r, 0);
  write_kernel(&r, KERNEL_LOG);
  ring_finish(&r);
  EXPECT_LOG(&r.c, 0);
  ring_close(&r);
}

// The goal is for a kernel that itself takes 200 cycles; what it takes is printed.
Test(commands, an_empty_kernel_is_done_1500_cycles_after_the_doorbell) {
  struct ring r = ring_open(0);
  write_kernel(&r, KERNEL_EMPTY);
  ring_finish(&r);
  for (int i = 0; i < 3; i++) {
    run_until_idle(&r.c);
    const uint32_t n = write_kernel(&r, KERNEL_EMPTY);
    const uint64_t rang = get_figure(&r.c, HEDDLE_REG_CLOCK);
    ring_doorbell(&r);
    while (ring_head(&r) != r.tail) {
      cr_assert_lt(get_figure(&r.c, HEDDLE_REG_CLOCK) - rang, 100000);
      r.c.api->run(r.c.device, 16);
    }
    const uint64_t took = get_figure(&r.c, HEDDLE_REG_CLOCK) - rang;
    const uint64_t to_start = ring_record_long(&r, n, HEDDLE_RECORD_START) - rang;
    printf("%s: from the doorbell to the start %lu cycles, to HEAD %lu\n", r.c.api->name, (unsigned long)to_start,
           (unsigned long)took);
    cr_expect_leq(took, 1500, "%s: %lu cycles from the doorbell to HEAD", r.c.api->name, (unsigned long)took);
  }
  ring_close(&r);
}
