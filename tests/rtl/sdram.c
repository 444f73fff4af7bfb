// SPDX-License-Identifier: Apache-2.0
// The SDRAM controller: what is written comes back, nothing that a data sheet forbids reaches the chip, and a write
// never waits for lines to be taken. And the model of the chip: it does notice.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sdram/sdram_chip.h"
#include "tests/rtl/random_word.h"
#include "tests/rtl/sdram_block.h"

enum {
  ROW_BYTES = 1 << ROW_LOG2,
  LINE_BYTES = ROW_BYTES > 64 ? ROW_BYTES : 64,
  BYTES = 1 << 25,
  PLACES = 1 << 16,     // of the bytes, those that are used: some in each of many rows of the chip
  MOST_ASKED = 64,      // rows of lines that have been asked for
  START_CYCLES = 30000  // at most, from rst until the chip has started
};

// What the memory should hold, and what has been asked of it.
struct bench {
  struct sdram_block *block;
  struct sdram_in in;
  struct sdram_out out;
  uint8_t *bytes;
  struct {
    uint8_t row[ROW_BYTES];
  } asked[MOST_ASKED];
  unsigned first, count;
  uint64_t cycle, rows_come, requests;
};

// The place in the chip of one of PLACES bytes: lines in a row, in all banks, and in rows far apart.
static uint32_t address_of(uint32_t place) {
  return (place & 0xFFF) | (place >> 12) * (BYTES / 16 + 4096 * 5) % BYTES;
}

static void cycle(struct bench *b) {
  sdram_block_cycle(b->block, &b->in, &b->out);
  b->cycle++;
  const struct sdram_chip *chip = sdram_block_chip(b->block);
  cr_assert(!chip->wrong[0], "cycle %llu, the chip's data sheet forbids: %s", (unsigned long long)b->cycle,
            chip->wrong);
  if (b->out.response_valid && b->in.response_ready) {
    cr_assert(b->count > 0, "a row came that nobody asked for");
    for (unsigned i = 0; i < ROW_BYTES; i++)
      cr_assert(b->asked[b->first].row[i] == b->out.response[i], "row %llu, byte %u: expected %02x, got %02x",
                (unsigned long long)b->rows_come, i, b->asked[b->first].row[i], b->out.response[i]);
    b->first = (b->first + 1) % MOST_ASKED;
    b->count--;
    b->rows_come++;
  }
  if (b->in.valid && b->out.ready) {
    b->requests++;
    const uint32_t line = b->in.address & ~(uint32_t)(LINE_BYTES - 1);
    if (b->in.store) {
      for (unsigned i = 0; i < ROW_BYTES; i++)
        if (b->in.strobe[i])
          b->bytes[b->in.address + i] = b->in.data[i];
    } else {
      for (unsigned i = 0; i < LINE_BYTES / ROW_BYTES; i++) {
        cr_assert(b->count < MOST_ASKED, "more lines are taken than a queue is said to hold");
        memcpy(b->asked[(b->first + b->count++) % MOST_ASKED].row, b->bytes + line + i * ROW_BYTES, ROW_BYTES);
      }
    }
  }
}

static void reset(struct bench *b) {
  b->in = (struct sdram_in){.rst = true};
  for (int i = 0; i < 4; i++)
    cycle(b);
  b->in.rst = false;
  b->count = 0;
}

static struct bench begin(void) {
  random_seed(1);
  struct bench b = {.block = sdram_block_create((int)random_below(1000)), .bytes = malloc(BYTES)};
  cr_assert(b.block && b.bytes);
  reset(&b);
  // What the chip holds when it starts, as an address of the device finds it: row, bank, column.
  const uint16_t *words = sdram_block_chip(b.block)->words;
  for (uint32_t i = 0; i < BYTES; i++) {
    const uint32_t word = i / 2;
    const uint16_t value = words[(word >> 9 & 3) << 22 | word >> 11 << 9 | (word & 0x1FF)];
    b.bytes[i] = (uint8_t)(i % 2 ? value >> 8 : value);
  }
  return b;
}

static void end(struct bench *b) {
  sdram_block_destroy(b->block);
  free(b->bytes);
}

static void random_store(struct sdram_in *in) {
  in->valid = in->store = true;
  in->address = address_of(random_below(PLACES)) & ~(uint32_t)(ROW_BYTES - 1);
  for (unsigned i = 0; i < ROW_BYTES; i++) {
    in->data[i] = (uint8_t)random_below(256);
    in->strobe[i] = chance(200);
  }
}

static void random_load(struct sdram_in *in) {
  in->valid = true;
  in->store = false;
  in->address = address_of(random_below(PLACES)) & ~(uint32_t)(LINE_BYTES - 1);
}

// Cycles until the request that stands has been taken.
static unsigned until_taken(struct bench *b, unsigned most) {
  for (unsigned i = 1; i <= most; i++) {
    cycle(b);
    if (b->out.ready) {
      b->in.valid = false;
      return i;
    }
  }
  cr_assert_fail("a %s is not taken in %u cycles", b->in.store ? "write" : "read", most);
  return 0;
}

static void run_random(struct bench *b, uint64_t requests) {
  const uint64_t last = b->requests + requests;
  while (b->requests < last || b->count > 0) {
    if (!b->in.valid && b->requests < last && chance(100)) {
      if (chance(128))
        random_store(&b->in);
      else
        random_load(&b->in);
    }
    b->in.response_ready = chance(180);
    cycle(b);
    if (b->in.valid && b->out.ready)
      b->in.valid = false;
    cr_assert(b->cycle < 100 * requests + START_CYCLES + 100000 || b->requests > requests / 4, "it stands still");
  }
}

Test(sdram, gives_back_what_was_written_within_all_limits_of_the_chip) {
  struct bench b = begin();
  run_random(&b, 20000);
  const struct sdram_chip *chip = sdram_block_chip(b.block);
  cr_expect(chip->activations > 1000, "rows were hardly changed");
  const uint64_t due = (chip->last_edge - chip->refreshed_from) / 7812500;
  cr_expect(chip->refreshes + 1 >= due, "%llu refreshes, not %llu", (unsigned long long)chip->refreshes,
            (unsigned long long)due);
  end(&b);
}

Test(sdram, takes_a_write_while_lines_stand) {
  struct bench b = begin();
  b.in.response_ready = false;
  for (int i = 0; i < START_CYCLES; i++)
    cycle(&b);
  random_load(&b.in);
  until_taken(&b, 1000);
  // Nobody takes lines: reads are taken as long as there is room, and writes always.
  unsigned reads = 1;
  for (;; reads++) {
    random_load(&b.in);
    unsigned waited = 0;
    do
      cycle(&b);
    while (!b.out.ready && ++waited < 2000);
    if (waited == 2000)
      break;
    cr_assert(reads < 64, "no queue holds so many");
  }
  for (unsigned i = 0; i < 20; i++) {
    random_store(&b.in);
    until_taken(&b, 500);
  }
  b.in.response_ready = true;
  for (unsigned i = 0; i < 4000 && b.count > 0; i++)
    cycle(&b);
  cr_expect(b.count == 0, "%u rows never came", b.count);
  end(&b);
}

Test(sdram, keeps_what_it_holds_when_it_is_started_afresh) {
  struct bench b = begin();
  run_random(&b, 500);
  for (int i = 0; i < 3; i++) {
    random_load(&b.in);
    until_taken(&b, 1000);
    random_store(&b.in);
    const struct sdram_in cut = b.in;  // perhaps half written when rst comes
    until_taken(&b, 1000);
    for (uint32_t j = random_below(40); j > 0; j--)
      cycle(&b);
    reset(&b);
    b.in = cut;
    until_taken(&b, START_CYCLES);
    run_random(&b, 500);
  }
  end(&b);
}

// boards/ulx3s tells the device these, which the capability block hands on.
Test(sdram, is_as_fast_as_boards_say) {
  struct bench b = begin();
  b.in.response_ready = true;
  random_load(&b.in);
  until_taken(&b, 1000);
  for (int i = 0; i < START_CYCLES; i++)  // it is taken at once, and carried out when the chip has started
    cycle(&b);
  // From an open row to another one.
  uint64_t longest = 0, all = 0;
  for (uint32_t i = 0; i < 64; i++) {
    b.in.valid = true;
    b.in.store = false;
    b.in.address = i % 2 * 4096 * 100;
    const uint64_t asked = b.cycle + until_taken(&b, 1000);
    while (!b.out.response_valid)
      cycle(&b);
    longest = b.cycle - asked > longest ? b.cycle - asked : longest;
    all += b.cycle - asked;
    while (b.count > 0)
      cycle(&b);
  }
  const uint64_t before = b.cycle;
  for (uint32_t i = 0; i < 512; i++) {
    b.in.valid = true;
    b.in.address = i * LINE_BYTES;
    until_taken(&b, 1000);
  }
  const double interval = (double)(b.cycle - before) / 512;
  cr_log_info("%u kHz, CAS latency %u, rows of %u: %.1f cycles to a row (%llu at most), %.1f a line", CLOCK_KHZ,
              CAS_LATENCY, ROW_BYTES, (double)all / 64, (unsigned long long)longest, interval);
  if (ROW_BYTES <= 32 && CLOCK_KHZ == 75000) {
    const double latency = 13 + ROW_BYTES / 2, first = (double)all / 64;
    cr_expect(first > latency - 1 && first < latency + 1, "%.1f cycles to a row, not %.0f", first, latency);
    cr_expect(interval > 34 && interval < 36, "%.1f cycles a line, not 35", interval);
  }
  end(&b);
}

// The chip's own limits: each of these is forbidden, and the same one allowed distance later is not.
struct step {
  uint64_t at;  // ns
  const char *what;
};

static struct sdram_pins pins_of(const char *what) {
  struct sdram_pins pins = {.cke = true};
  const char command = what[0];
  pins.ras_n = strchr("RWN", command) != NULL;
  pins.cas_n = strchr("APN", command) != NULL;
  pins.we_n = strchr("ARFN", command) != NULL;
  pins.a = command == 'M' ? 0x30 : command == 'P' ? 0x400 : 0;
  pins.dq_driven = command == 'W';
  return pins;
}

// Runs commands: P precharge, F refresh, M mode, A active, R read, W write, N none; a start comes first. Says what was
// wrong.
static const char *after(const struct step *steps, int count) {
  static struct sdram_chip chip;
  cr_assert(sdram_chip_begin(&chip, 1000));
  uint64_t now = 201000;  // ns
  struct sdram_pins pins = pins_of("P");
  sdram_chip_edge(&chip, now * 1000, &pins);
  for (int i = 0; i < 8; i++) {
    pins = pins_of("F");
    sdram_chip_edge(&chip, (now += 100) * 1000, &pins);
  }
  pins = pins_of("M");
  sdram_chip_edge(&chip, (now += 100) * 1000, &pins);
  now += 100;
  for (int i = 0; i < count; i++) {
    pins = pins_of(steps[i].what);
    sdram_chip_edge(&chip, (now + steps[i].at) * 1000, &pins);
  }
  sdram_chip_end(&chip);
  return chip.wrong;
}

#define EXPECT_WRONG(text, ...)                                                                           \
  do {                                                                                                    \
    const struct step steps[] = {__VA_ARGS__};                                                            \
    const char *wrong = after(steps, sizeof steps / sizeof *steps);                                       \
    cr_expect(text[0] ? strstr(wrong, text) != NULL : !wrong[0], "expected '%s', got '%s'", text, wrong); \
  } while (0)

Test(sdram_chip, notices_what_a_data_sheet_forbids) {
  EXPECT_WRONG("", {0, "A"}, {20, "R"}, {60, "P"}, {80, "A"});
  EXPECT_WRONG("tRCD", {0, "A"}, {19, "R"});
  EXPECT_WRONG("tRAS", {0, "A"}, {44, "P"});
  EXPECT_WRONG("tRP", {0, "A"}, {60, "P"}, {79, "A"});
  EXPECT_WRONG("tRC", {0, "A"}, {45, "P"}, {66, "A"});
  EXPECT_WRONG("tWR", {0, "A"}, {50, "W"}, {64, "P"});
  EXPECT_WRONG("tRFC", {0, "F"}, {67, "A"});
  EXPECT_WRONG("open row", {0, "A"}, {100, "F"});
  EXPECT_WRONG("open bank", {0, "A"}, {100, "A"});
  EXPECT_WRONG("closed bank", {0, "R"});
  EXPECT_WRONG("cycle", {0, "A"}, {7, "P"});
  EXPECT_WRONG("owed", {0, "A"}, {1000000, "P"});
  EXPECT_WRONG("", {0, "A"}, {20, "R"}, {30, "N"}, {40, "N"}, {50, "N"}, {60, "W"});
  EXPECT_WRONG("two drive", {0, "A"}, {20, "R"}, {30, "N"}, {40, "N"}, {50, "W"});
}
