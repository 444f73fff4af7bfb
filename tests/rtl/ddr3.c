// SPDX-License-Identifier: Apache-2.0
// Memory in DDR3 through litedram: the chip is started as its data sheet wants it, reads are levelled wherever their
// bursts arrive, what is written comes back, and a chip that cannot be levelled is reported. And the model of the chip:
// it does notice.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ddr3/ddr3_chip.h"
#include "tests/rtl/ddr3_block.h"
#include "tests/rtl/random_word.h"

enum {
  ROW_BYTES = 1 << ROW_LOG2,
  LINE_BYTES = ROW_BYTES > 64 ? ROW_BYTES : 64,
  BYTES = 1 << 27,
  PLACES = 1 << 16,      // of the bytes, those that are used: some in each of many rows of the chip
  MOST_ASKED = 64,       // rows of lines that have been asked for
  START_CYCLES = 150000  // at most, from rst until the chip has started, or failed
};

// What the memory should hold, and what has been asked of it.
struct bench {
  struct ddr3_block *block;
  struct ddr3_in in;
  struct ddr3_out out;
  uint8_t *bytes;  // of PLACES
  struct {
    uint8_t row[ROW_BYTES];
  } asked[MOST_ASKED];
  unsigned first, count;
  uint64_t cycle, rows_come, requests;
};

// The place in the chip of one of PLACES bytes: neighbouring lines, all banks, and rows far apart.
static uint32_t address_of(uint32_t place) {
  return (place & 0xFFF) | (place >> 12) * (BYTES / 16 + 4096 * 5) % BYTES;
}

static uint32_t place_of(uint32_t address) {
  for (uint32_t i = 0; i < PLACES >> 12; i++)
    if (address_of(i << 12) == (address & ~0xFFFu))
      return i << 12 | (address & 0xFFF);
  cr_assert_fail("%x is no place", address);
  return 0;
}

static void cycle(struct bench *b) {
  ddr3_block_cycle(b->block, &b->in, &b->out);
  b->cycle++;
  const struct ddr3_chip *chip = ddr3_block_chip(b->block);
  cr_assert(!chip->wrong[0], "cycle %llu, the chip's data sheet forbids: %s", (unsigned long long)b->cycle,
            chip->wrong);
  if (b->in.rst || b->in.core_rst)
    return;
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
    const uint32_t place = place_of(b->in.address);
    if (b->in.store) {
      for (unsigned i = 0; i < ROW_BYTES; i++)
        if (b->in.strobe[i])
          b->bytes[place + i] = b->in.data[i];
    } else {
      for (unsigned i = 0; i < LINE_BYTES / ROW_BYTES; i++) {
        cr_assert(b->count < MOST_ASKED, "more lines are taken than a queue is said to hold");
        memcpy(b->asked[(b->first + b->count++) % MOST_ASKED].row, b->bytes + place + i * ROW_BYTES, ROW_BYTES);
      }
    }
  }
}

static void reset(struct bench *b, bool core) {
  b->in = (struct ddr3_in){.rst = true, .core_rst = core};
  for (int i = 0; i < 4; i++)
    cycle(b);
  b->in.rst = b->in.core_rst = false;
  b->count = 0;
}

static struct bench create(void) {
  struct bench b = {.block = ddr3_block_create((int)random_below(1000)), .bytes = calloc(PLACES, 1)};
  cr_assert(b.block && b.bytes);
  return b;
}

static void until_started(struct bench *b) {
  reset(b, true);
  for (int i = 0; i < START_CYCLES && !b->out.started && !b->out.failed; i++)
    cycle(b);
}

// Of a word of the chip: litedram puts neighbouring addresses into a row, then banks, then rows.
static uint32_t word_of(uint32_t address) {
  const uint32_t column = address >> 1 & 0x3FF, bank = address >> 11 & 7, row = address >> 14;
  return (bank << 13 | row) << 10 | column;
}

// Started, and the reference told what the chip holds.
static struct bench begin(void) {
  random_seed(1);
  struct bench b = create();
  until_started(&b);
  cr_assert(b.out.started, "the memory did not start");
  for (uint32_t i = 0; i < PLACES; i++) {
    const uint16_t word = ddr3_chip_word(ddr3_block_chip(b.block), word_of(address_of(i)));
    b.bytes[i] = (uint8_t)(i % 2 ? word >> 8 : word);
  }
  return b;
}

static void end(struct bench *b) {
  ddr3_block_destroy(b->block);
  free(b->bytes);
}

static void random_store(struct ddr3_in *in) {
  in->valid = in->store = true;
  in->address = address_of(random_below(PLACES)) & ~(uint32_t)(ROW_BYTES - 1);
  for (unsigned i = 0; i < ROW_BYTES; i++) {
    in->data[i] = (uint8_t)random_below(256);
    in->strobe[i] = chance(200);
  }
}

static void random_load(struct ddr3_in *in) {
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
  const uint64_t last = b->requests + requests, began = b->cycle;
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
    cr_assert(b->cycle - began < 100 * requests + 1000, "it stands still");
  }
}

Test(ddr3, gives_back_what_was_written_within_all_limits_of_the_chip) {
  struct bench b = begin();
  run_random(&b, 20000);
  const struct ddr3_chip *chip = ddr3_block_chip(b.block);
  cr_expect(chip->activations > 1000, "rows were hardly changed");
  const uint64_t due = (chip->now - chip->first_refresh) * 1000000000 / chip->khz / 7812500;
  cr_expect(due > 100 && chip->refreshes + 1 >= due, "%llu refreshes, not %llu", (unsigned long long)chip->refreshes,
            (unsigned long long)due);
  end(&b);
}

Test(ddr3, is_refreshed_when_nobody_asks_for_anything) {
  struct bench b = begin();
  const struct ddr3_chip *chip = ddr3_block_chip(b.block);
  const uint64_t before = chip->refreshes;
  for (int i = 0; i < 37500; i++)  // 781 us
    cycle(&b);
  cr_expect(chip->refreshes - before >= 99 && chip->refreshes - before <= 101, "%llu refreshes, not 100",
            (unsigned long long)(chip->refreshes - before));
  end(&b);
}

Test(ddr3, takes_a_write_while_lines_stand) {
  struct bench b = begin();
  b.in.response_ready = false;
  // Nobody takes lines: reads are taken as long as there is room, and writes always.
  unsigned reads = 0;
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
  cr_expect(reads > 0);
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

Test(ddr3, keeps_what_it_holds_when_the_device_is_reset) {
  struct bench b = begin();
  run_random(&b, 500);
  for (int i = 0; i < 50; i++) {
    random_load(&b.in);
    until_taken(&b, 1000);
    random_load(&b.in);
    if (chance(128))
      until_taken(&b, 1000);
    b.in.valid = false;
    for (uint32_t j = random_below(60); j > 0; j--)
      cycle(&b);
    random_store(&b.in);
    const struct ddr3_in cut = b.in;  // perhaps half written when rst comes
    until_taken(&b, 1000);
    for (uint32_t j = random_below(20); j > 0; j--)
      cycle(&b);
    reset(&b, false);
    b.in = cut;
    until_taken(&b, 1000);
    run_random(&b, 100);
  }
  end(&b);
}

static unsigned longest_run(unsigned delays, unsigned *middle) {
  unsigned longest = 0, run = 0;
  for (unsigned i = 0; i < 8; i++) {
    run = delays >> i & 1 ? run + 1 : 0;
    if (run > longest) {
      longest = run;
      *middle = i - run / 2;
    }
  }
  return longest;
}

Test(ddr3, levels_reads_wherever_their_bursts_arrive) {
  random_seed(2);
  unsigned started = 0, failed = 0;
  for (int i = 0; i < 24; i++) {
    struct bench b = create();
    unsigned expected = 0, shortest = 8;
    for (int byte = 0; byte < 2; byte++) {
      const unsigned width = 1 + random_below(5) + (i % 2), first = random_below(9 - width);
      struct ddr3_window *window = &ddr3_block_chip(b.block)->windows[byte];
      window->arrives = (uint8_t)(((1u << width) - 1) << first);
      window->seen = (uint8_t)random_below(256);
      if (chance(200))
        window->seen |= window->arrives;
      window->slip = (uint8_t)random_below(4);
      unsigned middle = 0;
      const unsigned run = longest_run(window->arrives & window->seen, &middle);
      shortest = run < shortest ? run : shortest;
      expected |= (window->slip << 3 | middle) << 5 * byte;
    }
    until_started(&b);
    cr_expect(b.out.started == (shortest >= 2), "of a byte %u delays work: it %s", shortest,
              b.out.started ? "started" : "failed");
    cr_expect(b.out.started != b.out.failed);
    cr_expect(!b.out.started || b.out.chosen == expected, "chosen: %03x, not %03x", b.out.chosen, expected);
    started += b.out.started;
    failed += b.out.failed;
    end(&b);
  }
  cr_expect(started > 5 && failed > 1, "%u started, %u failed", started, failed);
}

// A byte with no delay that works, as of a pin that is not soldered.
Test(ddr3, reports_a_chip_that_cannot_be_levelled_and_answers_all_the_same) {
  for (int byte = 0; byte < 2; byte++) {
    random_seed(3);
    struct bench b = create();
    ddr3_block_chip(b.block)->windows[byte].arrives = 0;
    until_started(&b);
    cr_assert(b.out.failed && !b.out.started);
    b.in.response_ready = true;
    for (int i = 0; i < 200; i++) {
      random_store(&b.in);
      memset(b.in.data, 0, sizeof b.in.data);
      until_taken(&b, 10);
      random_load(&b.in);
      until_taken(&b, 100);
    }
    for (unsigned i = 0; i < 100 && b.count > 0; i++)
      cycle(&b);
    cr_expect(b.count == 0, "%u rows never came", b.count);
    cr_expect(b.out.failed);
    end(&b);
  }
}

// A byte that fails only now and then: it has a run of delays, but not when they are tried again.
Test(ddr3, reports_a_chip_that_fails_once_it_is_levelled) {
  random_seed(4);
  struct bench b = create();
  struct ddr3_chip *chip = ddr3_block_chip(b.block);
  reset(&b, true);
  // The scan reads 96 bursts.
  for (int i = 0; i < START_CYCLES && chip->reads < 96; i++)
    cycle(&b);
  for (int i = 0; i < 100; i++)
    cycle(&b);
  chip->windows[1].arrives = 0;
  for (int i = 0; i < START_CYCLES && !b.out.started && !b.out.failed; i++)
    cycle(&b);
  cr_expect(b.out.failed && !b.out.started);
  end(&b);
}

// boards/orangecrab tells the device these, which the capability block hands on.
Test(ddr3, is_as_fast_as_boards_say) {
  struct bench b = begin();
  b.in.response_ready = true;
  uint64_t longest = 0, all = 0;
  for (uint32_t i = 0; i < 64; i++) {  // from a row to another one of the same bank
    b.in.valid = true;
    b.in.store = false;
    b.in.address = address_of((i % 2) << 12);
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
    b.in.address = i * LINE_BYTES % 4096;
    until_taken(&b, 1000);
  }
  const double interval = (double)(b.cycle - before) / 512, first = (double)all / 64;
  cr_log_info("rows of %u: %.1f cycles to a row (%llu at most), %.1f a line", ROW_BYTES, first,
              (unsigned long long)longest, interval);
  if (ROW_BYTES <= 32) {
    const double latency = 22 + 2 * (ROW_BYTES / 16 - 1);
    cr_expect(first > latency - 1 && first < latency + 1, "%.1f cycles to a row, not %.0f", first, latency);
    cr_expect(interval > 7.5 && interval < 8.5, "%.1f cycles a line, not 8", interval);
  }
  end(&b);
}

// The chip's own limits, at 96 MHz: each of these is forbidden, and the same one allowed distance later is not.
struct step {
  uint64_t at;  // cycles
  char command;
};
enum { WE_N = 1, CAS_N = 2, RAS_N = 4, CS_N = 8, CKE = 16, RESET_N = 32, CLOCK_MHZ = 96 };

static void run(struct ddr3_chip *chip, uint64_t until, int pins) {
  while (chip->now + 1 < until)
    ddr3_dfi_command(0, pins | CS_N, 0, 0);
}

static void give(struct ddr3_chip *chip, uint64_t at, char command, int bank, int address) {
  run(chip, at, CKE | RESET_N);
  const int pins =
      (strchr("RWZ", command) ? RAS_N : 0) | (strchr("APZ", command) ? CAS_N : 0) | (strchr("ARF", command) ? WE_N : 0);
  ddr3_dfi_command(0, CKE | RESET_N | pins, bank, address);
}

// A chip in reset and without CKE for so many microseconds, whose mode registers are set in this order.
static void start(struct ddr3_chip *chip, uint64_t reset_us, uint64_t cke_us, const char *modes) {
  cr_assert(ddr3_chip_begin(chip));
  ddr3_chip_use(chip);
  ddr3_dfi_reset(CLOCK_MHZ * 500, 6, 5);
  run(chip, chip->now + reset_us * CLOCK_MHZ, 0);
  run(chip, chip->now + cke_us * CLOCK_MHZ, RESET_N);
  run(chip, chip->now + 20, RESET_N | CKE);
  for (; *modes; modes++)
    give(chip, chip->now + 12, 'M', *modes - '0', *modes == '0' ? 0x320 : *modes == '2' ? 0x200 : 0);
}

// Runs commands: P precharge, F refresh, A active, R read, W write, Z a short calibration; a start comes first.
static const char *after(const struct step *steps, int count) {
  static struct ddr3_chip chip;
  start(&chip, 201, 501, "2310");
  give(&chip, chip.now + 600, 'Z', 0, 0x400);
  const uint64_t began = chip.now + 600;
  for (int i = 0; i < count; i++)
    give(&chip, began + steps[i].at, steps[i].command, 0, 0);
  ddr3_chip_end(&chip);
  return chip.wrong;
}

static const char *after_start(uint64_t reset_us, uint64_t cke_us, const char *modes) {
  static struct ddr3_chip chip;
  start(&chip, reset_us, cke_us, modes);
  ddr3_chip_end(&chip);
  return chip.wrong;
}

static void expect_wrong(const char *text, const char *wrong) {
  cr_expect(text[0] ? strstr(wrong, text) != NULL : !wrong[0], "expected '%s', got '%s'", text, wrong);
}

#define EXPECT_WRONG(text, ...)                                     \
  do {                                                              \
    const struct step steps[] = {__VA_ARGS__};                      \
    expect_wrong(text, after(steps, sizeof steps / sizeof *steps)); \
  } while (0)

Test(ddr3_chip, notices_what_a_data_sheet_forbids) {
  EXPECT_WRONG("", {0, 'A'}, {2, 'R'}, {6, 'P'}, {8, 'A'});
  EXPECT_WRONG("tRCD", {0, 'A'}, {1, 'R'});
  EXPECT_WRONG("tRAS", {0, 'A'}, {3, 'P'});
  EXPECT_WRONG("tRP", {0, 'A'}, {6, 'P'}, {7, 'A'});
  EXPECT_WRONG("tRTP", {0, 'A'}, {2, 'R'}, {5, 'P'});
  EXPECT_WRONG("", {0, 'A'}, {2, 'W'}, {13, 'P'});
  EXPECT_WRONG("tWR", {0, 'A'}, {2, 'W'}, {12, 'P'});
  EXPECT_WRONG("", {0, 'A'}, {2, 'W'}, {15, 'R'});
  EXPECT_WRONG("tWTR", {0, 'A'}, {2, 'W'}, {14, 'R'});
  EXPECT_WRONG("tCCD", {0, 'A'}, {2, 'R'}, {5, 'R'});
  EXPECT_WRONG("", {0, 'F'}, {11, 'A'});
  EXPECT_WRONG("tRFC", {0, 'F'}, {10, 'A'});
  EXPECT_WRONG("open row", {0, 'A'}, {100, 'F'});
  EXPECT_WRONG("open bank", {0, 'A'}, {100, 'A'});
  EXPECT_WRONG("closed bank", {0, 'R'});
  EXPECT_WRONG("calibration", {0, 'Z'}, {63, 'A'});
  EXPECT_WRONG("owed", {0, 'F'}, {8000, 'A'});
  expect_wrong("", after_start(201, 501, "2310"));
  expect_wrong("time in reset", after_start(199, 501, "2310"));
  expect_wrong("time from reset to cke", after_start(201, 499, "2310"));
  expect_wrong("mode register 0 is set, not 1", after_start(201, 501, "230"));
}
