// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/memory_controller.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "tests/rtl/random_word.h"

void memory_bench_begin(struct memory_bench *b) {
  b->line_bytes = 1u << HEDDLE_LINE_LOG2_LEAST;
  b->line_bytes = b->beat_bytes > b->line_bytes ? b->beat_bytes : b->line_bytes;
  b->block = memory_block_create((int)random_below(1000));
  b->bytes = calloc(b->chip_bytes, 1);
  cr_assert(b->block && b->bytes);
}

void memory_bench_end(struct memory_bench *b) {
  memory_block_destroy(b->block);
  free(b->bytes);
}

uint32_t memory_bench_address(const struct memory_bench *b, uint32_t place) {
  return (place & 0xFFF) | (place >> 12) * (b->chip_bytes / 16 + 4096 * 5) % b->chip_bytes;
}

static void compare(struct memory_bench *b) {
  cr_assert(b->count > 0, "a beat came that nobody asked for");
  for (unsigned i = 0; i < b->beat_bytes; i++)
    cr_assert(b->asked[b->first][i] == b->out.response[i], "beat %llu, byte %u: expected %02x, got %02x",
              (unsigned long long)b->beats_received, i, b->asked[b->first][i], b->out.response[i]);
  b->first = (b->first + 1) % MOST_BEATS_ASKED;
  b->count--;
  b->beats_received++;
}

static void take(struct memory_bench *b) {
  b->requests++;
  uint8_t *bytes = b->bytes + b->in.address;
  if (b->in.store) {
    for (unsigned i = 0; i < b->beat_bytes; i++)
      if (b->in.strobe[i])
        bytes[i] = b->in.data[i];
  } else {
    for (unsigned i = 0; i < b->line_bytes; i += b->beat_bytes) {
      cr_assert(b->count < MOST_BEATS_ASKED, "more lines are taken than a queue is said to hold");
      memcpy(b->asked[(b->first + b->count++) % MOST_BEATS_ASKED], bytes + i, b->beat_bytes);
    }
  }
}

void memory_bench_cycle(struct memory_bench *b) {
  memory_block_cycle(b->block, &b->in, &b->out);
  b->cycle++;
  const char *wrong = memory_block_wrong(b->block);
  cr_assert(!wrong[0], "cycle %llu, the chip's data sheet forbids: %s", (unsigned long long)b->cycle, wrong);
  if (b->out.response_valid && b->in.response_ready)
    compare(b);
  if (b->in.valid && b->out.ready)
    take(b);
}

void memory_bench_reset(struct memory_bench *b, bool core) {
  b->in = (struct memory_in){.rst = true, .core_rst = core};
  for (int i = 0; i < 4; i++)
    memory_bench_cycle(b);
  b->in.rst = b->in.core_rst = false;
  b->count = 0;
}

void memory_bench_random_store(struct memory_bench *b) {
  b->in.valid = b->in.store = true;
  b->in.address = memory_bench_address(b, random_below(MEMORY_ADDRESSES)) & ~(b->beat_bytes - 1);
  for (unsigned i = 0; i < b->beat_bytes; i++) {
    b->in.data[i] = (uint8_t)random_below(256);
    b->in.strobe[i] = chance(200);
  }
}

static void load(struct memory_bench *b, uint32_t address) {
  b->in.valid = true;
  b->in.store = false;
  b->in.address = address;
}

void memory_bench_random_load(struct memory_bench *b) {
  load(b, memory_bench_address(b, random_below(MEMORY_ADDRESSES)) & ~(b->line_bytes - 1));
}

unsigned memory_bench_until_taken(struct memory_bench *b, unsigned most) {
  for (unsigned i = 1; i <= most; i++) {
    memory_bench_cycle(b);
    if (b->out.ready) {
      b->in.valid = false;
      return i;
    }
  }
  cr_assert_fail("a %s is not taken in %u cycles", b->in.store ? "write" : "read", most);
  return 0;
}

void memory_bench_until_all_came(struct memory_bench *b, unsigned most) {
  b->in.response_ready = true;
  for (unsigned i = 0; i < most && b->count > 0; i++)
    memory_bench_cycle(b);
  cr_expect(b->count == 0, "%u beats never came", b->count);
}

void memory_bench_run_random(struct memory_bench *b, uint64_t requests) {
  const uint64_t last = b->requests + requests, began = b->cycle;
  while (b->requests < last || b->count > 0) {
    if (!b->in.valid && b->requests < last && chance(100)) {
      if (chance(128))
        memory_bench_random_store(b);
      else
        memory_bench_random_load(b);
    }
    b->in.response_ready = chance(180);
    memory_bench_cycle(b);
    if (b->in.valid && b->out.ready)
      b->in.valid = false;
    cr_assert(b->cycle - began < 100 * requests + b->patience, "it stands still");
  }
}

unsigned memory_bench_store_while_lines_stand(struct memory_bench *b) {
  b->in.response_ready = false;
  unsigned loads = 0;
  for (;; loads++) {
    memory_bench_random_load(b);
    unsigned waited = 0;
    do
      memory_bench_cycle(b);
    while (!b->out.ready && ++waited < 2000);
    if (waited == 2000)
      break;
    cr_assert(loads < 64, "no queue holds so many");
  }
  for (unsigned i = 0; i < 20; i++) {
    memory_bench_random_store(b);
    memory_bench_until_taken(b, 500);
  }
  memory_bench_until_all_came(b, 4000);
  return loads;
}

struct memory_speed memory_bench_speed(struct memory_bench *b, uint32_t other_row, uint32_t bytes) {
  struct memory_speed speed = {0};
  b->in.response_ready = true;
  for (unsigned i = 0; i < 64; i++) {
    load(b, i % 2 * other_row);
    memory_bench_until_taken(b, 1000);
    const uint64_t asked = b->cycle;
    while (!b->out.response_valid)
      memory_bench_cycle(b);
    const unsigned cycles = (unsigned)(b->cycle - asked);
    speed.longest = cycles > speed.longest ? cycles : speed.longest;
    speed.first += cycles / 64.0;
    while (b->count > 0)
      memory_bench_cycle(b);
  }
  const uint64_t before = b->cycle;
  for (uint32_t i = 0; i < 512; i++) {
    load(b, i * b->line_bytes % bytes);
    memory_bench_until_taken(b, 1000);
  }
  speed.interval = (double)(b->cycle - before) / 512;
  return speed;
}

void memory_expect_cycles(const char *what, double expected, double tolerance, double got) {
  cr_expect(got > expected - tolerance && got < expected + tolerance, "%.1f cycles %s, not %.0f", got, what, expected);
}

void memory_expect_wrong(const char *text, const char *wrong) {
  cr_expect(text[0] ? !!strstr(wrong, text) : !wrong[0], "expected '%s', got '%s'", text, wrong);
}
