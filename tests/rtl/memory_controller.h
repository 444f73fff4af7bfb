// SPDX-License-Identifier: Apache-2.0
// What the suites of memory controllers share: requests to one, random ones among them, against memory as an array, and
// how fast it is. In each cycle Criterion's assertions hold what comes against what was stored, and look whether the
// chip was done wrong.
#ifndef HEDDLE_TESTS_RTL_MEMORY_CONTROLLER_H
#define HEDDLE_TESTS_RTL_MEMORY_CONTROLLER_H

#include "tests/rtl/memory_block.h"

enum {
  MEMORY_ADDRESSES = 1 << 16,  // bytes that random requests are for: some in each of many rows of the chip
  MOST_BEATS_ASKED = 64        // that have been asked for
};

// What the memory should hold, and what has been asked of it. A suite says the first three.
struct memory_bench {
  uint32_t beat_bytes, chip_bytes;
  uint32_t patience;  // cycles that requests may take beside 100 for each: what the chip's start takes, or a refresh

  uint32_t line_bytes;
  struct memory_block *block;
  struct memory_in in;
  struct memory_out out;
  uint8_t *bytes;  // by address; the suite puts in what the chip holds at first, at all addresses that it asks for
  uint8_t asked[MOST_BEATS_ASKED][MOST_MEMORY_BEAT_BYTES];
  unsigned first, count;
  uint64_t cycle, beats_received, requests;
};

void memory_bench_begin(struct memory_bench *b);
void memory_bench_end(struct memory_bench *b);

// The address of one of MEMORY_ADDRESSES: neighbouring lines, all banks, and rows far apart.
uint32_t memory_bench_address(const struct memory_bench *b, uint32_t place);

void memory_bench_cycle(struct memory_bench *b);

// Of the device, or also of what starts the chip. Rows that were asked for need not come any more.
void memory_bench_reset(struct memory_bench *b, bool core);

// Requests that stand from then on.
void memory_bench_random_store(struct memory_bench *b);
void memory_bench_random_load(struct memory_bench *b);

// Cycles until the request that stands has been taken.
unsigned memory_bench_until_taken(struct memory_bench *b, unsigned most);

// Takes beats until all that were asked for have come.
void memory_bench_until_all_came(struct memory_bench *b, unsigned most);

void memory_bench_run_random(struct memory_bench *b, uint64_t requests);

// Loads until no more are taken while nobody takes lines, then stores, which are. How many loads were taken.
unsigned memory_bench_store_while_lines_stand(struct memory_bench *b);

// Between address 0 and that of another row; and of lines one after the other in so many bytes, again and again.
struct memory_speed {
  double first;      // cycles from a request to the first beat of its line
  unsigned longest;  // of them
  double interval;   // cycles from line to line
};
struct memory_speed memory_bench_speed(struct memory_bench *b, uint32_t other_row, uint32_t bytes);
void memory_expect_cycles(const char *what, double expected, double tolerance, double got);

// What a chip found wrong has this text; empty: it found nothing.
void memory_expect_wrong(const char *text, const char *wrong);

#endif
