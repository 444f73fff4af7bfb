// SPDX-License-Identifier: Apache-2.0
// The banks of the device cache and the ways between them and the units: that what all units do has one order, what
// each unit is answered, what each channel of external memory is asked for, and that nobody is forgotten. What holds in
// every cycle is checked in every test, in tick().
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/amo.h"
#include "tests/rtl/banks_block.h"
#include "tests/rtl/memory_channel.h"
#include "tests/rtl/random_request.h"

enum { MOST_POSTED = 1024, MOST_TAKEN = 4096, MARGIN = 32, LABELS = 1 << 10, MOST_LINES = 1 << 14, PATIENCE = 200000 };
enum { NOWHERE = -1 };

// A unit's requests, all in one ring: those before `posted` wait to be given, before `given` for their bank, before
// `taken` a bank has them.
struct unit {
  struct beat_request requests[MOST_POSTED];
  uint32_t posted, given, taken;
  uint32_t due[MOST_POSTED];  // those that are to be answered, as places in the order of all; a ring
  uint32_t asked, answered;
  bool offers;           // a request stands on the port and must stay there
  unsigned passed;       // requests of others that were taken while its oldest waited
  unsigned most_passed;  // the most that this has been
};

struct taken {
  struct beat_request request;
  bool answered;
  uint8_t answer[MOST_BEAT_BYTES];
};

struct bench {
  struct banks_block *block;
  struct banks_shape shape;
  struct banks_in in;
  struct banks_out out;
  uint64_t cycle;
  uint32_t misses;
  uint64_t idle_cycles;

  // speeds in 1/256: that a side is ready, or has something, in a cycle
  unsigned requests_come, answers_taken[MOST_UNITS], memory_takes[MOST_BANKS], beats_received[MOST_BANKS];

  struct unit unit[MOST_UNITS];
  struct taken order[MOST_TAKEN];  // as the banks took them; a ring
  uint32_t taken, applied;

  uint8_t *external;  // the bytes of all channels
  struct memory_channel channel[MOST_BANKS];
  struct beat_reference reference;
  int8_t home[MOST_LINES];                     // the channel that was asked for a line
  uint64_t last_answer;                        // when
  uint32_t answers[MOST_OWNERS];               // of each owner
  uint8_t last[MOST_OWNERS][MOST_BEAT_BYTES];  // the last of them
};

static struct beat_request *request_of(struct unit *u, uint32_t number) {
  return &u->requests[number % MOST_POSTED];
}

static uint32_t line_of(const struct bench *b, const struct beat_request *r) {
  return r->address / b->shape.line_bytes;
}

static uint32_t beats_written(const struct bench *b) {
  uint32_t beats = 0;
  for (unsigned c = 0; c < b->shape.banks; c++)
    beats += b->channel[c].beats_written;
  return beats;
}

// Carries out what is known of the order of all. The answer of an sc.w says what has happened: what is behind it waits.
static void apply_known(struct bench *b) {
  for (; b->applied != b->taken; b->applied++) {
    const struct taken *t = &b->order[b->applied % MOST_TAKEN];
    if (t->request.kind != STORE && !t->answered)
      return;
    beat_reference_apply(&b->reference, &t->request, t->answer);
  }
}

static void take_answer(struct bench *b, unsigned number) {
  struct unit *u = &b->unit[number];
  const struct banks_unit_out *out = &b->out.unit[number];
  cr_assert_neq(u->answered, u->asked, "unit %u gets an answer that it does not wait for", number);
  struct taken *t = &b->order[u->due[u->answered++ % MOST_POSTED] % MOST_TAKEN];
  cr_assert_eq(out->response_label, t->request.label, "cycle %lu: unit %u gets label %u instead of %u",
               (unsigned long)b->cycle, number, out->response_label, t->request.label);
  t->answered = true;
  memcpy(t->answer, out->response_data, sizeof t->answer);
  b->answers[t->request.owner]++;
  memcpy(b->last[t->request.owner], out->response_data, sizeof t->answer);
  b->last_answer = b->cycle;
}

// Which requests banks take in this cycle. Their order must not matter, so no two of them may be of the same line.
static void see_taken(struct bench *b) {
  unsigned taken = 0;
  for (unsigned n = 0; n < b->shape.units; n++) {
    struct unit *u = &b->unit[n];
    if (!b->out.unit[n].taken)
      continue;
    cr_assert_neq(u->taken, u->given, "cycle %lu: a bank takes what unit %u has not given", (unsigned long)b->cycle, n);
    const struct beat_request *r = request_of(u, u->taken);
    for (unsigned i = 0; i < taken; i++) {
      const struct beat_request *other = &b->order[(b->taken - 1 - i) % MOST_TAKEN].request;
      cr_assert_neq(line_of(b, r), line_of(b, other), "two requests of line 0x%x are taken in one cycle",
                    line_of(b, r));
    }
    if (r->kind != STORE)
      u->due[u->asked++ % MOST_POSTED] = b->taken;
    struct taken *t = &b->order[b->taken++ % MOST_TAKEN];
    t->request = *r;
    t->answered = false;
    taken++;
  }
  for (unsigned n = 0; n < b->shape.units; n++) {
    struct unit *u = &b->unit[n];
    const bool waits = u->taken != u->given;
    u->taken += b->out.unit[n].taken;
    u->passed = waits && !b->out.unit[n].taken ? u->passed + taken : 0;
    if (u->passed > u->most_passed)
      u->most_passed = u->passed;
  }
}

static void see_given(struct bench *b) {
  for (unsigned n = 0; n < b->shape.units; n++)
    if (b->in.unit[n].request && b->out.unit[n].request_ready) {
      b->unit[n].given++;
      b->unit[n].offers = false;
    }
}

static void see_channel(struct bench *b, unsigned number) {
  struct memory_channel *channel = &b->channel[number];
  const struct banks_channel_out *out = &b->out.channel[number];
  if (out->memory_valid && b->in.channel[number].memory_ready) {
    int8_t *home = &b->home[out->memory_address / b->shape.line_bytes];
    cr_assert(*home == NOWHERE || *home == (int8_t)number, "channel %u is asked for 0x%x, which is of channel %d",
              number, out->memory_address, *home);
    *home = (int8_t)number;
    if (out->memory_store)
      memory_channel_write(channel, out->memory_address, out->memory_data, out->memory_strobe);
    else
      memory_channel_ask(channel, out->memory_address, b->cycle);
  }
  if (b->in.channel[number].fill && out->fill_ready) {
    memory_channel_beat_taken(channel);
    b->in.channel[number].fill = NULL;
  }
  const bool asks = out->memory_valid && b->in.channel[number].memory_ready && !out->memory_store;
  cr_assert_eq(out->missed, asks, "cycle %lu: bank %u says %d, a line is asked for: %d", (unsigned long)b->cycle,
               number, out->missed, asks);
  b->misses += out->missed;
}

// Idle: only answers may still be on their way, and external memory is and stays as all requests leave it.
static void see_idle(struct bench *b) {
  if (!b->out.idle)
    return;
  b->idle_cycles++;
  const unsigned long cycle = (unsigned long)b->cycle;
  for (unsigned n = 0; n < b->shape.units; n++)
    cr_assert_eq(b->unit[n].given, b->unit[n].taken, "cycle %lu: idle, but a request of unit %u waits", cycle, n);
  for (unsigned c = 0; c < b->shape.banks; c++) {
    cr_assert_eq(b->channel[c].count, 0u, "cycle %lu: idle, but channel %u reads a line", cycle, c);
    cr_assert(!b->out.channel[c].memory_valid, "cycle %lu: idle, but channel %u is asked for something", cycle, c);
  }
  if (b->applied == b->taken)
    cr_assert_eq(beats_written(b), b->reference.beats_written, "cycle %lu: idle after %u of %u beats are written",
                 cycle, beats_written(b), b->reference.beats_written);
}

static void tick(struct bench *b) {
  struct banks_in *in = &b->in;
  for (unsigned n = 0; n < b->shape.units; n++) {
    struct unit *u = &b->unit[n];
    if (!u->offers)
      u->offers = u->given != u->posted && b->taken - b->applied < MOST_TAKEN - MARGIN && chance(b->requests_come);
    in->unit[n].request = u->offers ? request_of(u, u->given) : NULL;
    in->unit[n].response_ready = chance(b->answers_taken[n]);
  }
  for (unsigned c = 0; c < b->shape.banks; c++) {
    in->channel[c].memory_ready = chance(b->memory_takes[c]) && memory_channel_has_room(&b->channel[c]);
    if (!in->channel[c].fill && chance(b->beats_received[c]))  // a beat on the port must stay there
      in->channel[c].fill = memory_channel_beat(&b->channel[c], b->cycle);
  }
  banks_block_settle(b->block, in, &b->out);
  if (!in->rst) {
    see_idle(b);
    for (unsigned n = 0; n < b->shape.units; n++)
      if (b->out.unit[n].response_valid && in->unit[n].response_ready)
        take_answer(b, n);
    apply_known(b);
    see_taken(b);
    see_given(b);
    for (unsigned c = 0; c < b->shape.banks; c++)
      see_channel(b, c);
  }
  banks_block_edge(b->block);
  b->cycle++;
}

static bool is_busy(const struct bench *b) {
  for (unsigned n = 0; n < b->shape.units; n++)
    if (b->unit[n].taken != b->unit[n].posted)
      return true;
  return b->applied != b->taken || !b->out.idle;
}

// Until everything posted has been carried out; a cycle more, so that what came last is seen too.
static void drain(struct bench *b) {
  for (unsigned i = 0; is_busy(b) || i < 2; i++) {
    cr_assert_lt(i, PATIENCE, "the banks hang");
    tick(b);
  }
}

static void post(struct bench *b, unsigned number, struct beat_request request) {
  struct unit *u = &b->unit[number];
  for (unsigned i = 0; u->posted - u->taken == MOST_POSTED; i++) {
    cr_assert_lt(i, PATIENCE, "the banks hang");
    tick(b);
  }
  request.label = random_below(LABELS);
  *request_of(u, u->posted++) = request;
}

static void fill_with_random(struct bench *b) {
  for (unsigned i = 0; i < b->shape.memory_bytes; i++)
    b->reference.bytes[i] = (uint8_t)random_below(256);
  memcpy(b->external, b->reference.bytes, b->shape.memory_bytes);
}

static struct bench *create(int seed) {
  struct bench *b = calloc(1, sizeof *b);
  cr_assert_not_null(b);
  b->block = banks_block_create(seed);
  b->shape = banks_block_shape();
  b->external = malloc(b->shape.memory_bytes);
  b->reference = (struct beat_reference){.bytes = malloc(b->shape.memory_bytes), .beat_bytes = b->shape.beat_bytes};
  b->requests_come = 256;
  for (unsigned n = 0; n < b->shape.units; n++)
    b->answers_taken[n] = 256;
  for (unsigned c = 0; c < b->shape.banks; c++) {
    b->memory_takes[c] = b->beats_received[c] = 256;
    b->channel[c] = (struct memory_channel){
        .bytes = b->external, .beat_bytes = b->shape.beat_bytes, .line_bytes = b->shape.line_bytes, .latency = 60};
  }
  memset(b->home, NOWHERE, sizeof b->home);
  if (random_state == 0)
    random_seed((uint64_t)seed);
  fill_with_random(b);
  b->in.rst = true;
  for (int i = 0; i < 4; i++)
    tick(b);
  b->in.rst = false;
  drain(b);
  return b;
}

static void expect_memory_as_the_reference(const struct bench *b) {
  for (unsigned i = 0; i < b->shape.memory_bytes; i++)
    cr_assert_eq(b->external[i], b->reference.bytes[i], "external memory holds 0x%02x at 0x%x instead of 0x%02x",
                 b->external[i], i, b->reference.bytes[i]);
}

static void destroy(struct bench *b) {
  drain(b);
  expect_memory_as_the_reference(b);
  banks_block_destroy(b->block);
  free(b->external);
  free(b->reference.bytes);
  free(b);
}

static void invalidate(struct bench *b) {
  drain(b);
  b->in.invalidate = true;
  tick(b);
  b->in.invalidate = false;
  memset(b->reference.reserved, 0, sizeof b->reference.reserved);
}

static uint32_t owner(const struct bench *b, unsigned unit, unsigned slot) {
  return unit * b->shape.slots + slot;
}

static struct beat_request load(const struct bench *b, uint32_t address) {
  return (struct beat_request){.kind = LOAD, .address = address & ~(b->shape.beat_bytes - 1)};
}

// The word at `address` gets `value`.
static struct beat_request store(const struct bench *b, uint32_t address, uint32_t value) {
  struct beat_request r = load(b, address);
  const unsigned at = address % b->shape.beat_bytes & ~3u;
  r.kind = STORE;
  memset(r.strobe + at, true, 4);
  memcpy(r.data + at, &value, 4);
  return r;
}

static struct beat_request atomic(const struct bench *b, uint8_t function, uint32_t who, uint32_t address,
                                  uint32_t operand) {
  struct beat_request r = store(b, address, operand);
  r.kind = ATOMIC;
  r.function = function;
  r.owner = who;
  return r;
}

static unsigned long_test(unsigned of_commit) {
  return getenv("HEDDLE_TEST_LONG") ? 20 * of_commit : of_commit;
}

static unsigned random_speed(void) {
  static const unsigned speeds[] = {256, 256, 128, 30};
  return speeds[random_below(4)];
}

// Each side its own speed, each channel its own latency.
static void random_speeds(struct bench *b) {
  b->requests_come = random_speed();
  for (unsigned n = 0; n < b->shape.units; n++)
    b->answers_taken[n] = random_speed();
  for (unsigned c = 0; c < b->shape.banks; c++) {
    b->memory_takes[c] = random_speed();
    b->beats_received[c] = random_speed();
    b->channel[c].latency = random_below(2) ? random_below(8) : random_below(200);
  }
}

// Random requests of each unit. `kinds`: a bit for each kind that comes.
static void post_random(struct bench *b, unsigned of_each_unit, uint32_t beats, unsigned kinds) {
  for (unsigned i = 0; i < of_each_unit; i++)
    for (unsigned n = 0; n < b->shape.units; n++) {
      struct beat_request r;
      do
        r = random_request(beats, b->shape.beat_bytes, b->shape.memory_bytes);
      while (!(kinds >> r.kind & 1));
      r.owner = owner(b, n, random_below(b->shape.slots));
      post(b, n, r);
    }
}

enum { ALL_KINDS = 1 << LOAD | 1 << STORE | 1 << ATOMIC };

Test(banks, requests_act_one_after_the_other_as_banks_take_them) {
  for (unsigned round = 0; round < long_test(12); round++) {
    struct bench *b = create((int)round + 1);
    random_speeds(b);
    const uint32_t beats = (uint32_t[]){4, 12, 40, 400}[round % 4];
    post_random(b, 2000, beats, ALL_KINDS);
    destroy(b);
  }
}

// One channel is slow, so that answers of the other banks stand long before they are due.
Test(banks, answers_come_in_the_order_of_a_units_requests) {
  struct bench *b = create(2);
  for (unsigned round = 0; round < long_test(4 * b->shape.banks); round++) {
    for (unsigned c = 0; c < b->shape.banks; c++)
      b->channel[c].latency = c == round % b->shape.banks ? 300 : 3;
    post_random(b, 500, 4000, 1 << LOAD | 1 << ATOMIC);
    drain(b);
  }
  destroy(b);
}

// While nobody takes an answer, hits are asked for until there is no room to remember more.
Test(banks, no_answer_is_lost_when_a_unit_takes_none_for_long) {
  struct bench *b = create(12);
  for (unsigned round = 0; round < 4; round++) {
    for (unsigned n = 0; n < b->shape.units; n++)
      b->answers_taken[n] = 0;
    post_random(b, 600, 30, 1 << LOAD);
    for (unsigned i = 0; i < 2000; i++)
      tick(b);
    for (unsigned n = 0; n < b->shape.units; n++)
      b->answers_taken[n] = random_speed();
    drain(b);
  }
  destroy(b);
}

Test(banks, external_memory_holds_in_the_end_what_requests_leave) {
  for (unsigned round = 0; round < long_test(4); round++) {
    struct bench *b = create((int)round + 100);
    random_speeds(b);
    for (unsigned i = 0; i < 8; i++) {
      post_random(b, 200, 30, 1 << STORE | 1 << ATOMIC);
      drain(b);
      expect_memory_as_the_reference(b);
    }
    destroy(b);
  }
}

Test(banks, all_banks_forget) {
  struct bench *b = create(3);
  for (unsigned round = 0; round < 20; round++) {
    const uint32_t before = b->misses;
    for (uint32_t line = 0; line < 16; line++)
      for (unsigned n = 0; n < b->shape.units; n++)
        post(b, n, load(b, line * b->shape.line_bytes));
    drain(b);
    cr_expect_eq(b->misses - before, 16u, "each line is read once");
    invalidate(b);
    for (unsigned i = 0; i < 16 * b->shape.line_bytes; i++)
      b->external[i] = b->reference.bytes[i] = (uint8_t)random_below(256);
  }
  destroy(b);
}

// Reads, writes and atomics' writes, of every line, by every unit.
Test(banks, a_channel_is_asked_only_for_lines_of_its_bank) {
  struct bench *b = create(4);
  const uint32_t lines = b->shape.memory_bytes / b->shape.line_bytes;
  for (uint32_t pass = 0; pass < 3; pass++)
    for (uint32_t line = 0; line < lines; line++) {
      const uint32_t address = line * b->shape.line_bytes;
      const unsigned n = (line + pass) % b->shape.units;
      post(b, n,
           pass == 0   ? load(b, address)
           : pass == 1 ? store(b, address, line)
                       : atomic(b, AMOADD, owner(b, n, 0), address, line));
    }
  drain(b);
  for (uint32_t line = 0; line < lines; line++)
    cr_assert_neq(b->home[line], NOWHERE, "nobody was asked for line 0x%x", line);
  destroy(b);
}

Test(banks, lines_of_every_power_of_two_pitch_are_spread_over_all_banks) {
  struct bench *b = create(5);
  const uint32_t lines = b->shape.memory_bytes / b->shape.line_bytes;
  for (uint32_t line = 0; line < lines; line++)
    post(b, line % b->shape.units, store(b, line * b->shape.line_bytes, line));
  drain(b);
  for (uint32_t pitch = 1; pitch * b->shape.banks <= lines; pitch *= 2)
    for (uint32_t first = 0; first < lines; first += pitch * b->shape.banks) {
      unsigned banks = 0;
      for (uint32_t i = 0; i < b->shape.banks; i++)
        banks |= 1u << b->home[first + i * pitch];
      cr_assert_eq(banks, (1u << b->shape.banks) - 1, "%u lines from 0x%x, %u lines apart, are of banks 0x%x",
                   b->shape.banks, first, pitch, banks);
    }
  destroy(b);
}

// All units ask for beats of one line without a pause. While one waits, each other is served once at most.
Test(banks, no_unit_starves_while_others_ask_for_the_same_bank) {
  for (unsigned kinds = 0; kinds < 4; kinds++) {
    struct bench *b = create(6);
    for (unsigned c = 0; c < b->shape.banks; c++)
      b->memory_takes[c] = kinds == LOAD ? 256 : 150;
    for (unsigned i = 0; i < 1000; i++)
      for (unsigned n = 0; n < b->shape.units; n++) {
        const uint32_t address = random_below(b->shape.line_bytes / 4) * 4;
        const unsigned kind = kinds == 3 ? (n == 0 ? STORE : LOAD) : kinds;
        post(b, n,
             kind == LOAD    ? load(b, address)
             : kind == STORE ? store(b, address, i)
                             : atomic(b, AMOADD, owner(b, n, i % b->shape.slots), address, i));
      }
    drain(b);
    for (unsigned n = 0; n < b->shape.units; n++)
      cr_expect_leq(b->unit[n].most_passed, b->shape.units - 1, "unit %u waited while %u others were served", n,
                    b->unit[n].most_passed);
    destroy(b);
  }
}

Test(banks, a_beat_a_cycle_for_each_of_several_units) {
  struct bench *b = create(7);
  enum { BEATS = 900 };
  const uint32_t banks = b->shape.banks, units = b->shape.units;
  uint32_t line[MOST_BANKS];  // one of each bank
  for (uint32_t i = 0; i < banks; i++)
    post(b, 0, load(b, i * b->shape.line_bytes));
  drain(b);
  for (uint32_t i = 0; i < banks; i++)
    line[b->home[i]] = i;
  for (unsigned shift = 0; shift < banks; shift++) {
    const uint64_t start = b->cycle;
    for (unsigned i = 0; i < BEATS; i++)
      for (unsigned n = 0; n < units; n++)
        post(b, n, load(b, line[(n + shift) % banks] * b->shape.line_bytes + i % 2 * b->shape.beat_bytes));
    drain(b);
    const uint64_t cycles = b->last_answer - start, needed = BEATS * ((units + banks - 1) / banks);
    cr_expect_leq(cycles, needed + 14, "%u beats for each of %u units take %lu cycles", BEATS, units,
                  (unsigned long)cycles);
  }
  destroy(b);
}

// A request alone is with its bank the cycle after it was given, and a hit answered 9 cycles later.
Test(banks, a_request_alone_wins_at_once) {
  struct bench *b = create(8);
  for (unsigned round = 0; round < 4; round++)
    for (uint32_t line = 0; line < 8; line++)
      for (unsigned n = 0; n < b->shape.units; n++) {
        struct unit *u = &b->unit[n];
        post(b, n, load(b, line * b->shape.line_bytes));
        const uint64_t start = b->cycle;
        tick(b);
        cr_assert_eq(u->given, u->posted, "it is given at once");
        tick(b);
        cr_assert_eq(u->taken, u->posted, "and taken in the next cycle");
        drain(b);
        if (round > 0)
          cr_assert_leq(b->last_answer - start, 11u, "a hit takes %lu cycles", (unsigned long)(b->last_answer - start));
      }
  destroy(b);
}

Test(banks, every_request_is_taken_once) {
  struct bench *b = create(9);
  for (unsigned round = 0; round < long_test(6); round++) {
    random_speeds(b);
    uint32_t before[MOST_UNITS] = {0};
    uint32_t taken = 0;
    for (unsigned n = 0; n < b->shape.units; n++)
      before[n] = b->unit[n].taken;
    const uint32_t all = b->taken;
    // A unit more than the one before it, so that one unit's are not another's.
    for (unsigned n = 0; n < b->shape.units; n++)
      for (unsigned i = 0; i < 200 + 50 * n; i++)
        post(b, n, i % 3 ? load(b, random_below(64) * 64) : store(b, random_below(64) * 64, i));
    drain(b);
    for (unsigned n = 0; n < b->shape.units; n++) {
      cr_expect_eq(b->unit[n].taken - before[n], 200 + 50 * n, "unit %u: %u taken", n, b->unit[n].taken - before[n]);
      taken += 200 + 50 * n;
    }
    cr_expect_eq(b->taken - all, taken);
  }
  destroy(b);
}

// Few requests, so that all is often idle, and slow sides, so that there is much to be under way with.
Test(banks, idle_means_that_nothing_is_under_way) {
  for (unsigned round = 0; round < long_test(6); round++) {
    struct bench *b = create((int)round + 10);
    random_speeds(b);
    b->requests_come = 1 + round % 3;
    for (unsigned n = 0; n < b->shape.units; n++)
      b->answers_taken[n] = 40 + random_below(200);
    post_random(b, 100, 40, ALL_KINDS);
    drain(b);
    cr_expect_gt(b->idle_cycles, 100u, "it was idle for %lu cycles", (unsigned long)b->idle_cycles);
    destroy(b);
  }
}

Test(banks, lr_and_sc_of_one_slot_succeed) {
  struct bench *b = create(20);
  for (uint32_t i = 0; i < 40; i++)
    for (unsigned n = 0; n < b->shape.units; n++) {
      post(b, n, atomic(b, LR, owner(b, n, i % b->shape.slots), i * 36, 0));
      post(b, n, atomic(b, SC, owner(b, n, i % b->shape.slots), i * 36, i));
      drain(b);
    }
  cr_expect_eq(b->reference.succeeded, 40 * b->shape.units);
  destroy(b);
}

Test(banks, slots_of_one_number_in_two_units_are_told_apart) {
  struct bench *b = create(21);
  for (uint32_t i = 0; i < 8; i++)
    for (unsigned n = 1; n < b->shape.units; n++) {
      const uint32_t address = i * b->shape.line_bytes, before = b->reference.succeeded;
      post(b, 0, atomic(b, LR, owner(b, 0, 1), address, 0));
      drain(b);
      post(b, n, atomic(b, SC, owner(b, n, 1), address, i));  // must fail, and take nothing away
      drain(b);
      cr_expect_eq(b->reference.succeeded, before);
      post(b, 0, atomic(b, SC, owner(b, 0, 1), address, i));
      drain(b);
      cr_expect_eq(b->reference.succeeded, before + 1, "unit %u takes away what unit 0 has reserved", n);
    }
  destroy(b);
}

// Banks each have a reservation; a sub-group must not have two.
Test(banks, only_what_the_last_lr_reserved_may_be_stored_to) {
  struct bench *b = create(22);
  for (uint32_t line = 0; line < 8; line++)
    for (uint32_t other = 0; other < 8; other++) {
      if (other == line)
        continue;
      const uint32_t before = b->reference.succeeded;
      post(b, 0, atomic(b, LR, 1, line * b->shape.line_bytes, 0));
      post(b, 0, atomic(b, LR, 1, other * b->shape.line_bytes, 0));
      post(b, 0, atomic(b, SC, 1, line * b->shape.line_bytes, 7));
      drain(b);
      cr_expect_eq(b->reference.succeeded, before);
      post(b, 0, atomic(b, SC, 1, other * b->shape.line_bytes, 7));
      drain(b);
      cr_expect_eq(b->reference.succeeded, before + 1, "line %u, then %u", line, other);
    }
  destroy(b);
}

// A sub-group that counts words up as kernels do: lr.w, add, sc.w, from the start when that has failed.
struct counting {
  uint32_t owner, done;
  uint32_t answers;  // when as many have come, the next request may go
  bool reserves;     // the last request was an lr.w
};

enum { TIMES = 20, WORDS = 3, WORD_PITCH = 132 };

static void count_on(struct bench *b, struct counting *c) {
  if (c->done == TIMES || b->answers[c->owner] != c->answers)
    return;
  const bool reserved = c->reserves;
  uint32_t address = c->done % WORDS * WORD_PITCH, word;
  memcpy(&word, b->last[c->owner] + address % b->shape.beat_bytes, 4);
  if (c->answers != 0 && !reserved && word == 0 && ++c->done == TIMES)
    return;
  address = c->done % WORDS * WORD_PITCH;
  c->reserves = !reserved;
  c->answers++;
  post(b, c->owner / b->shape.slots, atomic(b, reserved ? SC : LR, c->owner, address, word + 1));
}

static uint32_t counted(const struct bench *b) {
  uint32_t sum = 0, word;
  for (uint32_t w = 0; w < WORDS; w++) {
    memcpy(&word, b->reference.bytes + w * WORD_PITCH, 4);
    sum += word;
  }
  return sum;
}

Test(banks, loops_of_lr_and_sc_of_all_units_get_through) {
  for (unsigned round = 0; round < long_test(4); round++) {
    struct bench *b = create((int)round + 30);
    random_speeds(b);
    const uint32_t owners = b->shape.units * b->shape.slots, before = counted(b);
    struct counting counting[MOST_OWNERS] = {{0}};
    for (uint32_t o = 0; o < owners; o++)
      counting[o].owner = o;
    for (uint32_t i = 0, left = owners; left != 0; i++) {
      cr_assert_lt(i, PATIENCE, "%u of %u do not get through", left, owners);
      left = 0;
      for (uint32_t o = 0; o < owners; o++) {
        count_on(b, &counting[o]);
        left += counting[o].done != TIMES;
      }
      tick(b);
    }
    drain(b);
    cr_expect_eq(counted(b) - before, owners * TIMES);
    destroy(b);
  }
}
