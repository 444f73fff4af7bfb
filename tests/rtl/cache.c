// SPDX-License-Identifier: Apache-2.0
// The device cache alone: what it answers, in which order, and what external memory holds in the end, under random
// loads, stores and atomics with random speeds on all sides; and hits and misses of patterns whose count is known.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/amo.h"
#include "tests/rtl/cache_block.h"
#include "tests/rtl/memory_channel.h"
#include "tests/rtl/random_request.h"
#include "tests/rtl/reservation.h"

enum { MEMORY_BYTES = 1 << 20, OWNERS = 8, MOST_UNDER_WAY = 256, LABELS = 1 << 10 };

struct bench {
  struct cache_block *block;
  struct cache_shape shape;
  struct cache_in in;
  struct cache_out out;
  uint64_t cycle;
  uint32_t misses;

  // speeds in 1/256: that a side is ready, or has something, in a cycle
  unsigned requests_come, answers_taken, memory_takes, beats_come;

  struct memory_channel external;   // as the cache has written it
  struct beat_reference reference;  // as the requests answered so far leave it

  struct beat_request under_way[MOST_UNDER_WAY];  // accepted, not yet in `reference`; a ring
  unsigned first, count;
  uint8_t answer[MOST_BEAT_BYTES];  // the last
};

static void apply_first(struct bench *b, const uint8_t *answer) {
  beat_reference_apply(&b->reference, &b->under_way[b->first], answer);
  b->first = (b->first + 1) % MOST_UNDER_WAY;
  b->count--;
}

// Stores at the front of what is under way take effect; they have no answer.
static void apply_stores(struct bench *b) {
  while (b->count != 0 && b->under_way[b->first].kind == STORE)
    apply_first(b, NULL);
}

static void take_answer(struct bench *b) {
  apply_stores(b);
  cr_assert_neq(b->count, 0, "an answer that nobody waits for");
  const struct beat_request *r = &b->under_way[b->first];
  cr_assert_eq(b->out.response_label, r->label, "cycle %lu: label %u instead of %u", (unsigned long)b->cycle,
               b->out.response_label, r->label);
  memcpy(b->answer, b->out.response_data, sizeof b->answer);
  apply_first(b, b->answer);
}

static void serve_memory(struct bench *b) {
  if (b->out.memory_store)
    memory_channel_write(&b->external, b->out.memory_address, b->out.memory_data, b->out.memory_strobe);
  else
    memory_channel_ask(&b->external, b->out.memory_address, b->cycle);
}

// One cycle. Returns whether `request`, if there is one, was accepted.
static bool tick(struct bench *b, const struct beat_request *request) {
  struct cache_in *in = &b->in;
  in->request = request;
  in->response_ready = chance(b->answers_taken);
  in->memory_ready = chance(b->memory_takes) && memory_channel_has_room(&b->external);
  if (!in->fill && chance(b->beats_come))  // a beat on the port must stay there
    in->fill = memory_channel_beat(&b->external, b->cycle);
  cache_block_settle(b->block, in, &b->out);

  const bool accepted = request && b->out.request_ready;
  if (b->out.response_valid && in->response_ready && !in->rst)
    take_answer(b);
  if (accepted) {
    cr_assert_lt(b->count, MOST_UNDER_WAY);
    b->under_way[(b->first + b->count++) % MOST_UNDER_WAY] = *request;
    apply_stores(b);
  }
  if (b->out.memory_valid && in->memory_ready && !in->rst)
    serve_memory(b);
  if (in->fill && b->out.fill_ready) {
    memory_channel_beat_taken(&b->external);
    in->fill = NULL;
  }
  b->misses += b->out.missed && !in->rst;
  cache_block_edge(b->block);
  b->cycle++;
  return accepted;
}

static void drain(struct bench *b) {
  for (unsigned i = 0; b->count != 0 || !b->out.idle || i < 2; i++) {
    cr_assert_lt(i, 200000u, "the cache hangs");
    tick(b, NULL);
    apply_stores(b);
  }
}

static void issue(struct bench *b, const struct beat_request *request) {
  for (unsigned i = 0; !tick(b, request); i++)
    cr_assert_lt(i, 200000u, "the cache hangs");
}

static void invalidate(struct bench *b) {
  drain(b);
  b->in.invalidate = true;
  tick(b, NULL);
  b->in.invalidate = false;
  memset(b->reference.reserved, 0, sizeof b->reference.reserved);
}

static struct bench *create(int seed) {
  struct bench *b = calloc(1, sizeof *b);
  cr_assert_not_null(b);
  b->block = cache_block_create(seed);
  b->shape = cache_block_shape();
  b->external = (struct memory_channel){.bytes = malloc(MEMORY_BYTES),
                                        .beat_bytes = b->shape.beat_bytes,
                                        .line_bytes = b->shape.line_bytes,
                                        .latency = 60};
  b->reference = (struct beat_reference){.bytes = malloc(MEMORY_BYTES), .beat_bytes = b->shape.beat_bytes};
  if (random_state == 0)
    random_seed((uint64_t)seed);
  b->requests_come = b->answers_taken = b->memory_takes = b->beats_come = 256;
  for (unsigned i = 0; i < MEMORY_BYTES; i++)
    b->external.bytes[i] = (uint8_t)random_below(256);
  memcpy(b->reference.bytes, b->external.bytes, MEMORY_BYTES);
  b->in.rst = true;
  for (int i = 0; i < 4; i++)
    tick(b, NULL);
  b->in.rst = false;
  drain(b);
  b->misses = 0;
  return b;
}

static void destroy(struct bench *b) {
  drain(b);
  cr_assert_arr_eq(b->external.bytes, b->reference.bytes, MEMORY_BYTES, "external memory differs in the end");
  cache_block_destroy(b->block);
  free(b->external.bytes);
  free(b->reference.bytes);
  free(b);
}

static struct beat_request load(struct bench *b, uint32_t address) {
  return (struct beat_request){
      .kind = LOAD, .address = address & ~(b->shape.beat_bytes - 1), .label = random_below(LABELS)};
}

static struct beat_request atomic(struct bench *b, uint8_t function, uint8_t owner, uint32_t address,
                                  uint32_t operand) {
  struct beat_request r = load(b, address);
  const unsigned word = address % b->shape.beat_bytes / 4;
  r.kind = ATOMIC;
  r.function = function;
  r.owner = owner;
  memset(r.strobe + 4 * word, true, 4);
  memcpy(r.data + 4 * word, &operand, 4);
  return r;
}

static void run_random(struct bench *b, unsigned requests, uint32_t beats) {
  for (unsigned i = 0; i < requests; i++) {
    struct beat_request r = random_request(beats, b->shape.beat_bytes, MEMORY_BYTES);
    r.owner = random_below(OWNERS);
    r.label = random_below(LABELS);
    while (!chance(b->requests_come) || b->count >= MOST_UNDER_WAY - 1)
      tick(b, NULL);
    issue(b, &r);
  }
}

static unsigned long_test(unsigned of_commit) {
  return getenv("HEDDLE_TEST_LONG") ? 20 * of_commit : of_commit;
}

Test(cache, random_requests_at_random_speeds) {
  for (unsigned round = 0; round < long_test(24); round++) {
    struct bench *b = create((int)round + 1);
    static const unsigned speeds[] = {256, 256, 128, 30};
    b->requests_come = speeds[random_below(4)];
    b->answers_taken = speeds[random_below(4)];
    b->memory_takes = speeds[random_below(4)];
    b->beats_come = speeds[random_below(4)];
    b->external.latency = random_below(2) ? random_below(8) : 60;
    const uint32_t beats = (uint32_t[]){4, 40, 400, 4000}[random_below(4)];
    run_random(b, 3000, beats);
    invalidate(b);
    run_random(b, 1000, beats);
    destroy(b);
  }
}

// Loads every line of a pattern in turn; returns the misses.
static uint32_t load_lines(struct bench *b, uint32_t lines, uint32_t pitch) {
  const uint32_t before = b->misses;
  for (uint32_t i = 0; i < lines; i++) {
    const struct beat_request r = load(b, i * pitch);
    issue(b, &r);
  }
  drain(b);
  return b->misses - before;
}

Test(cache, every_line_of_it_is_used) {
  struct bench *b = create(1);
  const uint32_t lines = b->shape.cache_bytes / b->shape.line_bytes;
  cr_expect_eq(load_lines(b, lines, b->shape.line_bytes), lines, "nothing is there in the beginning");
  cr_expect_eq(load_lines(b, lines, b->shape.line_bytes), 0u, "everything is there the second time");
  const uint32_t beats = b->shape.cache_bytes / b->shape.beat_bytes;
  cr_expect_eq(load_lines(b, beats, b->shape.beat_bytes), 0u, "every beat of every line");
  destroy(b);
}

Test(cache, a_line_is_missed_once_whatever_is_under_way) {
  struct bench *b = create(2);
  const uint32_t beats = b->shape.line_bytes / b->shape.beat_bytes;
  for (uint32_t i = 0; i < 40; i++) {
    const struct beat_request r = load(b, (i % 8) * b->shape.beat_bytes);
    issue(b, &r);
  }
  drain(b);
  cr_expect_eq(b->misses, 8 / beats);
  destroy(b);
}

Test(cache, pitches_of_powers_of_two_are_spread) {
  struct bench *b = create(3);
  const uint32_t half = b->shape.cache_bytes / b->shape.line_bytes / 2;
  for (uint32_t pitch = b->shape.line_bytes; pitch <= 16384; pitch *= 2) {
    const uint32_t lines = half < MEMORY_BYTES / pitch ? half : MEMORY_BYTES / pitch;
    invalidate(b);
    cr_expect_eq(load_lines(b, lines, pitch), lines);
    cr_expect_eq(load_lines(b, lines, pitch), 0u, "%u lines %u bytes apart: not all stay", lines, pitch);
  }
  destroy(b);
}

Test(cache, hits_come_one_a_cycle) {
  struct bench *b = create(4);
  const uint32_t beats = b->shape.cache_bytes / b->shape.beat_bytes;
  load_lines(b, beats, b->shape.beat_bytes);
  uint64_t start = b->cycle;
  struct beat_request r = load(b, 0);
  issue(b, &r);
  drain(b);
  cr_expect_leq(b->cycle - start, 11u, "the first after %lu cycles", (unsigned long)(b->cycle - start));
  start = b->cycle;
  load_lines(b, beats, b->shape.beat_bytes);
  cr_expect_leq(b->cycle - start, beats + 12, "%u beats in %lu cycles", beats, (unsigned long)(b->cycle - start));
  destroy(b);
}

Test(cache, many_misses_are_under_way) {
  struct bench *b = create(5);
  const uint32_t beats = b->shape.line_bytes / b->shape.beat_bytes;
  const uint64_t start = b->cycle;
  load_lines(b, 48, b->shape.line_bytes);
  cr_expect_leq(b->cycle - start, 60 + 48 * (beats + 1) + 20, "48 lines in %lu cycles",
                (unsigned long)(b->cycle - start));
  destroy(b);
}

Test(cache, a_store_does_not_bring_its_line_but_changes_it) {
  struct bench *b = create(6);
  struct beat_request r = load(b, 0);
  r.kind = STORE;
  memset(r.strobe, true, sizeof r.strobe);
  issue(b, &r);
  drain(b);
  cr_expect_eq(b->misses, 0u);
  cr_expect_eq(b->external.beats_written, 1u);
  load_lines(b, 1, 0);
  cr_expect_eq(b->misses, 1u);
  memset(r.data, 0x5A, sizeof r.data);
  issue(b, &r);
  load_lines(b, 1, 0);
  cr_expect_eq(b->misses, 1u);
  cr_expect_eq(b->external.beats_written, 2u);
  cr_expect_eq(b->answer[3], 0x5A);
  destroy(b);
}

// Between dispatches the host changes memory. Many times over, since the cache tells times apart by a short number.
Test(cache, invalidated_lines_are_read_again) {
  struct bench *b = create(7);
  const uint32_t lines = b->shape.cache_bytes / b->shape.line_bytes;
  for (uint32_t round = 0; round < 40; round++) {
    // Lines of few sets: the others keep tags of long ago.
    const uint32_t line = round * 7 % lines * b->shape.line_bytes;
    for (uint32_t address = 0; address < b->shape.cache_bytes; address++)
      b->external.bytes[address] = b->reference.bytes[address] = (uint8_t)random_below(256);
    const uint32_t before = b->misses;
    const struct beat_request r = load(b, line);
    issue(b, &r);
    const struct beat_request first = load(b, round % 16 == 0 ? 3 * b->shape.line_bytes : line);
    issue(b, &first);
    drain(b);
    cr_expect_eq(b->misses - before, first.address == r.address ? 1u : 2u, "round %u", round);
    invalidate(b);
    if (round % 3 == 0)
      invalidate(b);
  }
  destroy(b);
}

Test(cache, lr_and_sc_of_one_owner_succeed) {
  struct bench *b = create(8);
  for (uint32_t i = 0; i < 100; i++) {
    struct beat_request r = atomic(b, LR, (uint8_t)(i % OWNERS), i * 4, 0);
    issue(b, &r);
    r = atomic(b, SC, (uint8_t)(i % OWNERS), i * 4, i);
    issue(b, &r);
  }
  drain(b);
  cr_expect_eq(b->reference.succeeded, 100u);
  cr_expect_eq(b->reference.failed, 0u);
  destroy(b);
}

Test(cache, of_those_that_try_one_succeeds) {
  struct bench *b = create(9);
  for (uint32_t round = 0; round < 200; round++) {
    for (unsigned owner = 0; owner < OWNERS; owner++) {
      const struct beat_request r = atomic(b, LR, (uint8_t)owner, 64 + round % 4 * 4, 0);
      issue(b, &r);
    }
    for (unsigned owner = 0; owner < OWNERS; owner++) {
      const struct beat_request r = atomic(b, SC, (uint8_t)owner, 64 + round % 4 * 4, round);
      issue(b, &r);
    }
  }
  drain(b);
  cr_expect_eq(b->reference.succeeded, 200u, "%u of 200 rounds", b->reference.succeeded);
  destroy(b);
}

Test(cache, a_reservation_that_is_left_behind_ends) {
  struct bench *b = create(10);
  struct beat_request r = atomic(b, LR, 1, 128, 0);
  issue(b, &r);
  for (int i = 0; i < RESERVATION_AGE + 900; i++)
    tick(b, NULL);
  r = atomic(b, LR, 2, 256, 0);
  issue(b, &r);
  r = atomic(b, SC, 2, 256, 7);
  issue(b, &r);
  drain(b);
  cr_expect_eq(b->reference.succeeded, 1u);
  destroy(b);
}

// As one that waits for a lock does with a compare-and-swap that finds it taken: lr.w again and again, and no sc.w.
Test(cache, one_that_reserves_again_and_again_does_not_hold_others_up_for_ever) {
  struct bench *b = create(11);
  for (int i = 0; i < RESERVATION_AGE / 16 && b->reference.succeeded == 0; i++) {
    struct beat_request r = atomic(b, LR, 1, 128, 0);
    issue(b, &r);
    r = atomic(b, LR, 2, 256, 0);
    issue(b, &r);
    r = atomic(b, SC, 2, 256, 7);
    issue(b, &r);
    drain(b);
  }
  cr_expect_eq(b->reference.succeeded, 1u);
  destroy(b);
}
