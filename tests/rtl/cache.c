// SPDX-License-Identifier: Apache-2.0
// The device cache alone: what it answers, in which order, and what external memory holds in the end, under random
// loads, stores and atomics with random speeds on all sides; and hits and misses of patterns whose count is known.
#include <assert.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/amo.h"
#include "tests/rtl/cache_block.h"
#include "tests/rtl/reservation.h"

enum { MEMORY_BYTES = 1 << 20, OWNERS = 8, MOST_UNDER_WAY = 256, MOST_LINES_ASKED = 64, LABELS = 1 << 10 };
enum { LOAD, STORE, ATOMIC };

struct request {
  uint8_t kind, function, owner;
  uint32_t address, label;
  uint8_t data[MOST_ROW_BYTES];
  bool strobe[MOST_ROW_BYTES];
};

// What an owner's lr.w has reserved and nobody has written since: the most that an sc.w of his may rely on.
struct reserved {
  uint32_t row;
  bool words[MOST_ROW_BYTES / 4];
};

struct bench {
  struct cache_block *block;
  struct cache_shape shape;
  struct cache_in in;
  struct cache_out out;
  uint64_t cycle, random;
  uint32_t misses, writes;

  // speeds in 1/256: that a side is ready, or has something, in a cycle
  unsigned requests_come, answers_taken, memory_takes, rows_come, latency;

  uint8_t *external;   // as the cache has written it
  uint8_t *reference;  // as the requests answered so far leave it
  struct reserved reserved[OWNERS];
  uint32_t succeeded, failed;  // words of sc.w

  struct request under_way[MOST_UNDER_WAY];  // accepted, not yet in `reference`; a ring
  unsigned first, count, answers;

  struct {
    uint8_t rows[MOST_ROW_BYTES];
    uint64_t due;
  } lines[MOST_LINES_ASKED];
  unsigned first_line, line_count, row_offset;
  bool offered;                    // a row is on the port and must stay there
  uint8_t answer[MOST_ROW_BYTES];  // the last
};

static uint32_t random_below(struct bench *b, uint32_t n) {
  assert(n != 0);
  b->random = b->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((b->random >> 33) % n);
}

static bool chance(struct bench *b, unsigned of_256) {
  return random_below(b, 256) < of_256;
}

static uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, 4);
  return word;
}

static void forget_reserved(struct bench *b, uint32_t row, unsigned word) {
  for (unsigned o = 0; o < OWNERS; o++)
    if (b->reserved[o].row == row)
      b->reserved[o].words[word] = false;
}

static void apply_store(struct bench *b, const struct request *r) {
  for (unsigned i = 0; i < b->shape.row_bytes; i++)
    if (r->strobe[i]) {
      b->reference[r->address + i] = r->data[i];
      forget_reserved(b, r->address, i / 4);
    }
}

static void apply_sc(struct bench *b, const struct request *r, unsigned word, uint32_t answer) {
  struct reserved *mine = &b->reserved[r->owner];
  cr_assert_leq(answer, 1u, "sc.w answers 0x%x", answer);
  if (answer == 0) {
    cr_assert(mine->row == r->address && mine->words[word], "sc.w succeeds on a word that is not reserved");
    memcpy(b->reference + r->address + 4 * word, r->data + 4 * word, 4);
    for (unsigned o = 0; o < OWNERS; o++)
      if (o != r->owner && b->reserved[o].row == r->address)
        b->reserved[o].words[word] = false;
    b->succeeded++;
  } else {
    b->failed++;
  }
}

static void apply_atomic(struct bench *b, const struct request *r, const uint8_t *answer) {
  struct reserved *mine = &b->reserved[r->owner];
  if (r->function == LR) {
    memset(mine, 0, sizeof *mine);
    mine->row = r->address;
  }
  for (unsigned word = 0; word < b->shape.row_bytes / 4; word++) {
    if (!r->strobe[4 * word])
      continue;
    const uint32_t old = word_at(b->reference + r->address + 4 * word);
    const uint32_t answered = word_at(answer + 4 * word);
    if (r->function == SC) {
      apply_sc(b, r, word, answered);
      continue;
    }
    cr_assert_eq(answered, old, "atomic 0x%02x at 0x%x: 0x%08x instead of 0x%08x", r->function, r->address + 4 * word,
                 answered, old);
    if (r->function == LR) {
      mine->words[word] = true;
    } else {
      const uint32_t value = amo_result(r->function, old, word_at(r->data + 4 * word));
      memcpy(b->reference + r->address + 4 * word, &value, 4);
      forget_reserved(b, r->address, word);
    }
  }
  // An sc.w of another row leaves the reservation here; load_store.v knows that such an sc.w has been.
  if (r->function == SC && mine->row == r->address)
    memset(mine->words, 0, sizeof mine->words);
}

// Stores at the front of what is under way take effect; they have no answer.
static void apply_stores(struct bench *b) {
  while (b->count != 0 && b->under_way[b->first].kind == STORE) {
    apply_store(b, &b->under_way[b->first]);
    b->first = (b->first + 1) % MOST_UNDER_WAY;
    b->count--;
  }
}

static void take_answer(struct bench *b) {
  apply_stores(b);
  cr_assert_neq(b->count, 0, "an answer that nobody waits for");
  const struct request *r = &b->under_way[b->first];
  cr_assert_eq(b->out.response_label, r->label, "cycle %lu: label %u instead of %u", (unsigned long)b->cycle,
               b->out.response_label, r->label);
  memcpy(b->answer, b->out.response_data, sizeof b->answer);
  if (r->kind == ATOMIC)
    apply_atomic(b, r, b->out.response_data);
  else
    cr_assert_arr_eq(b->out.response_data, b->reference + r->address, b->shape.row_bytes, "cycle %lu: row 0x%x",
                     (unsigned long)b->cycle, r->address);
  b->first = (b->first + 1) % MOST_UNDER_WAY;
  b->count--;
  b->answers++;
}

static void serve_memory(struct bench *b) {
  const uint32_t address = b->out.memory_address;
  if (b->out.memory_store) {
    for (unsigned i = 0; i < b->shape.row_bytes; i++)
      if (b->out.memory_strobe[i])
        b->external[address + i] = b->out.memory_data[i];
    b->writes++;
    return;
  }
  cr_assert_eq(address % b->shape.line_bytes, 0u, "a line at 0x%x", address);
  const unsigned at = (b->first_line + b->line_count++) % MOST_LINES_ASKED;
  memcpy(b->lines[at].rows, b->external + address, b->shape.line_bytes);
  b->lines[at].due = b->cycle + b->latency;
}

static void give_row(struct bench *b) {
  b->offered = false;
  b->row_offset += b->shape.row_bytes;
  if (b->row_offset == b->shape.line_bytes) {
    b->row_offset = 0;
    b->first_line = (b->first_line + 1) % MOST_LINES_ASKED;
    b->line_count--;
  }
}

// One cycle. Returns whether `request`, if there is one, was accepted.
static bool tick(struct bench *b, const struct request *request) {
  struct cache_in *in = &b->in;
  in->request_valid = request != NULL;
  if (request) {
    in->kind = request->kind;
    in->function = request->function;
    in->owner = request->owner;
    in->address = request->address;
    in->label = request->label;
    memcpy(in->data, request->data, sizeof in->data);
    memcpy(in->strobe, request->strobe, sizeof in->strobe);
  }
  in->response_ready = chance(b, b->answers_taken);
  in->memory_ready = chance(b, b->memory_takes) && b->line_count < MOST_LINES_ASKED;
  if (!b->offered)
    b->offered = b->line_count != 0 && b->lines[b->first_line].due <= b->cycle && chance(b, b->rows_come);
  in->fill_valid = b->offered;
  if (b->offered)
    memcpy(in->fill_data, b->lines[b->first_line].rows + b->row_offset, b->shape.row_bytes);
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
  if (in->fill_valid && b->out.fill_ready)
    give_row(b);
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

static void issue(struct bench *b, const struct request *request) {
  for (unsigned i = 0; !tick(b, request); i++)
    cr_assert_lt(i, 200000u, "the cache hangs");
}

static void invalidate(struct bench *b) {
  drain(b);
  b->in.invalidate = true;
  tick(b, NULL);
  b->in.invalidate = false;
  memset(b->reserved, 0, sizeof b->reserved);
}

static struct bench *create(int seed) {
  struct bench *b = calloc(1, sizeof *b);
  cr_assert_not_null(b);
  b->block = cache_block_create(seed);
  b->shape = cache_block_shape();
  b->external = malloc(MEMORY_BYTES);
  b->reference = malloc(MEMORY_BYTES);
  b->random = (uint64_t)seed;
  b->requests_come = b->answers_taken = b->memory_takes = b->rows_come = 256;
  b->latency = 60;
  for (unsigned i = 0; i < MEMORY_BYTES; i++)
    b->external[i] = (uint8_t)random_below(b, 256);
  memcpy(b->reference, b->external, MEMORY_BYTES);
  b->in.rst = true;
  for (int i = 0; i < 4; i++)
    tick(b, NULL);
  b->in.rst = false;
  drain(b);
  b->misses = b->writes = 0;
  return b;
}

static void destroy(struct bench *b) {
  drain(b);
  cr_assert_arr_eq(b->external, b->reference, MEMORY_BYTES, "external memory differs in the end");
  cache_block_destroy(b->block);
  free(b->external);
  free(b->reference);
  free(b);
}

static struct request load(struct bench *b, uint32_t address) {
  return (struct request){
      .kind = LOAD, .address = address & ~(b->shape.row_bytes - 1), .label = random_below(b, LABELS)};
}

static struct request atomic(struct bench *b, uint8_t function, uint8_t owner, uint32_t address, uint32_t operand) {
  struct request r = load(b, address);
  const unsigned word = address % b->shape.row_bytes / 4;
  r.kind = ATOMIC;
  r.function = function;
  r.owner = owner;
  memset(r.strobe + 4 * word, true, 4);
  memcpy(r.data + 4 * word, &operand, 4);
  return r;
}

static void random_request(struct bench *b, struct request *r, uint32_t rows) {
  static const uint8_t functions[] = {AMOADD, AMOSWAP, LR,     SC,     LR,      SC,     AMOXOR,
                                      AMOOR,  AMOAND,  AMOMIN, AMOMAX, AMOMINU, AMOMAXU};
  memset(r, 0, sizeof *r);
  const uint32_t kind = random_below(b, 8);
  r->kind = kind < 4 ? LOAD : kind < 6 ? STORE : ATOMIC;
  r->function = functions[random_below(b, sizeof functions)];
  r->owner = (uint8_t)random_below(b, OWNERS);
  // Some rows close together, some far apart, so that there are hits, evictions and several requests for one line.
  const uint32_t row = random_below(b, rows);
  r->address = row * (random_below(b, 2) ? 1 : 37) * b->shape.row_bytes % MEMORY_BYTES;
  r->label = random_below(b, LABELS);
  for (unsigned i = 0; i < b->shape.row_bytes; i += 4) {
    const bool word = chance(b, 128);
    for (unsigned j = i; j < i + 4; j++) {
      r->data[j] = (uint8_t)random_below(b, 256);
      r->strobe[j] = r->kind == STORE ? chance(b, 100) : word;
    }
  }
  const unsigned word = random_below(b, b->shape.row_bytes / 4);
  memset(r->strobe + 4 * word, true, 4);
}

static void run_random(struct bench *b, unsigned requests, uint32_t rows) {
  for (unsigned i = 0; i < requests; i++) {
    struct request r;
    random_request(b, &r, rows);
    while (!chance(b, b->requests_come) || b->count >= MOST_UNDER_WAY - 1)
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
    b->requests_come = speeds[random_below(b, 4)];
    b->answers_taken = speeds[random_below(b, 4)];
    b->memory_takes = speeds[random_below(b, 4)];
    b->rows_come = speeds[random_below(b, 4)];
    b->latency = random_below(b, 2) ? random_below(b, 8) : 60;
    const uint32_t rows = (uint32_t[]){4, 40, 400, 4000}[random_below(b, 4)];
    run_random(b, 3000, rows);
    invalidate(b);
    run_random(b, 1000, rows);
    destroy(b);
  }
}

// Loads every line of a pattern in turn; returns the misses.
static uint32_t load_lines(struct bench *b, uint32_t lines, uint32_t pitch) {
  const uint32_t before = b->misses;
  for (uint32_t i = 0; i < lines; i++) {
    const struct request r = load(b, i * pitch);
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
  const uint32_t rows = b->shape.cache_bytes / b->shape.row_bytes;
  cr_expect_eq(load_lines(b, rows, b->shape.row_bytes), 0u, "every row of every line");
  destroy(b);
}

Test(cache, a_line_is_missed_once_whatever_is_under_way) {
  struct bench *b = create(2);
  const uint32_t rows = b->shape.line_bytes / b->shape.row_bytes;
  for (uint32_t i = 0; i < 40; i++) {
    const struct request r = load(b, (i % 8) * b->shape.row_bytes);
    issue(b, &r);
  }
  drain(b);
  cr_expect_eq(b->misses, 8 / rows);
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
  const uint32_t rows = b->shape.cache_bytes / b->shape.row_bytes;
  load_lines(b, rows, b->shape.row_bytes);
  uint64_t start = b->cycle;
  struct request r = load(b, 0);
  issue(b, &r);
  drain(b);
  cr_expect_leq(b->cycle - start, 11u, "the first after %lu cycles", (unsigned long)(b->cycle - start));
  start = b->cycle;
  load_lines(b, rows, b->shape.row_bytes);
  cr_expect_leq(b->cycle - start, rows + 12, "%u rows in %lu cycles", rows, (unsigned long)(b->cycle - start));
  destroy(b);
}

Test(cache, many_misses_are_under_way) {
  struct bench *b = create(5);
  const uint32_t beats = b->shape.line_bytes / b->shape.row_bytes;
  const uint64_t start = b->cycle;
  load_lines(b, 48, b->shape.line_bytes);
  cr_expect_leq(b->cycle - start, 60 + 48 * (beats + 1) + 20, "48 lines in %lu cycles",
                (unsigned long)(b->cycle - start));
  destroy(b);
}

Test(cache, a_store_does_not_bring_its_line_but_changes_it) {
  struct bench *b = create(6);
  struct request r = load(b, 0);
  r.kind = STORE;
  memset(r.strobe, true, sizeof r.strobe);
  issue(b, &r);
  drain(b);
  cr_expect_eq(b->misses, 0u);
  cr_expect_eq(b->writes, 1u);
  load_lines(b, 1, 0);
  cr_expect_eq(b->misses, 1u);
  memset(r.data, 0x5A, sizeof r.data);
  issue(b, &r);
  load_lines(b, 1, 0);
  cr_expect_eq(b->misses, 1u);
  cr_expect_eq(b->writes, 2u);
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
      b->external[address] = b->reference[address] = (uint8_t)random_below(b, 256);
    const uint32_t before = b->misses;
    const struct request r = load(b, line);
    issue(b, &r);
    const struct request first = load(b, round % 16 == 0 ? 3 * b->shape.line_bytes : line);
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
    struct request r = atomic(b, LR, (uint8_t)(i % OWNERS), i * 4, 0);
    issue(b, &r);
    r = atomic(b, SC, (uint8_t)(i % OWNERS), i * 4, i);
    issue(b, &r);
  }
  drain(b);
  cr_expect_eq(b->succeeded, 100u);
  cr_expect_eq(b->failed, 0u);
  destroy(b);
}

Test(cache, of_those_that_try_one_succeeds) {
  struct bench *b = create(9);
  for (uint32_t round = 0; round < 200; round++) {
    for (unsigned owner = 0; owner < OWNERS; owner++) {
      const struct request r = atomic(b, LR, (uint8_t)owner, 64 + round % 4 * 4, 0);
      issue(b, &r);
    }
    for (unsigned owner = 0; owner < OWNERS; owner++) {
      const struct request r = atomic(b, SC, (uint8_t)owner, 64 + round % 4 * 4, round);
      issue(b, &r);
    }
  }
  drain(b);
  cr_expect_eq(b->succeeded, 200u, "%u of 200 rounds", b->succeeded);
  destroy(b);
}

Test(cache, a_reservation_that_is_left_behind_ends) {
  struct bench *b = create(10);
  struct request r = atomic(b, LR, 1, 128, 0);
  issue(b, &r);
  for (int i = 0; i < RESERVATION_AGE + 900; i++)
    tick(b, NULL);
  r = atomic(b, LR, 2, 256, 0);
  issue(b, &r);
  r = atomic(b, SC, 2, 256, 7);
  issue(b, &r);
  drain(b);
  cr_expect_eq(b->succeeded, 1u);
  destroy(b);
}
