// SPDX-License-Identifier: Apache-2.0
// Memory in DDR3 through litedram: the chip is started as its data sheet wants it, reads are levelled wherever their
// bursts arrive, what is written comes back, and a chip that cannot be levelled is reported. And the model of the chip:
// it does notice.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/rtl/ddr3_block.h"
#include "tests/rtl/memory_controller.h"
#include "tests/rtl/random_word.h"

enum {
  BEAT_BYTES = 1 << BEAT_LOG2,
  START_CYCLES = 150000  // at most, from rst until the chip has started, or failed
};

static struct memory_bench create(void) {
  struct memory_bench b = {.beat_bytes = BEAT_BYTES, .chip_bytes = 1 << 27, .patience = 1000};
  memory_bench_begin(&b);
  return b;
}

static void until_started(struct memory_bench *b) {
  struct ddr3_levelling now = {false};
  for (int i = 0; i < START_CYCLES && !now.started && !now.failed; i++) {
    memory_bench_cycle(b);
    now = ddr3_block_levelling(b->block);
  }
}

// Of a word of the chip: litedram puts neighbouring addresses into a row, then banks, then rows.
static uint32_t word_of(uint32_t address) {
  const uint32_t column = address >> 1 & 0x3FF, bank = address >> 11 & 7, row = address >> 14;
  return (bank << 13 | row) << 10 | column;
}

// Started, and the reference told what the chip holds.
static struct memory_bench begin(void) {
  random_seed(1);
  struct memory_bench b = create();
  memory_bench_reset(&b, true);
  until_started(&b);
  cr_assert(ddr3_block_levelling(b.block).started, "the memory did not start");
  for (uint32_t i = 0; i < MEMORY_ADDRESSES; i++) {
    const uint32_t address = memory_bench_address(&b, i);
    const uint16_t word = ddr3_chip_word(ddr3_block_chip(b.block), word_of(address));
    b.bytes[address] = (uint8_t)(i % 2 ? word >> 8 : word);
  }
  return b;
}

Test(ddr3, gives_back_what_was_written_within_all_limits_of_the_chip) {
  struct memory_bench b = begin();
  memory_bench_run_random(&b, 20000);
  const struct ddr3_chip *chip = ddr3_block_chip(b.block);
  cr_expect(chip->activations > 1000, "rows were hardly changed");
  const uint64_t due = (chip->now - chip->first_refresh) * 1000000000 / chip->khz / 7812500;
  cr_expect(due > 100 && chip->refreshes + 1 >= due, "%llu refreshes, not %llu", (unsigned long long)chip->refreshes,
            (unsigned long long)due);
  memory_bench_end(&b);
}

Test(ddr3, is_refreshed_when_nobody_asks_for_anything) {
  struct memory_bench b = begin();
  const struct ddr3_chip *chip = ddr3_block_chip(b.block);
  const uint64_t before = chip->refreshes;
  for (int i = 0; i < 37500; i++)  // 781 us
    memory_bench_cycle(&b);
  cr_expect(chip->refreshes - before >= 99 && chip->refreshes - before <= 101, "%llu refreshes, not 100",
            (unsigned long long)(chip->refreshes - before));
  memory_bench_end(&b);
}

Test(ddr3, takes_a_write_while_lines_stand) {
  struct memory_bench b = begin();
  cr_expect(memory_bench_store_while_lines_stand(&b) > 0);
  memory_bench_end(&b);
}

Test(ddr3, keeps_what_it_holds_when_the_device_is_reset) {
  struct memory_bench b = begin();
  memory_bench_run_random(&b, 500);
  for (int i = 0; i < 50; i++) {
    memory_bench_random_load(&b);
    memory_bench_until_taken(&b, 1000);
    memory_bench_random_load(&b);
    if (chance(128))
      memory_bench_until_taken(&b, 1000);
    b.in.valid = false;
    for (uint32_t j = random_below(60); j > 0; j--)
      memory_bench_cycle(&b);
    memory_bench_random_store(&b);
    const struct memory_in cut = b.in;  // perhaps half written when rst comes
    memory_bench_until_taken(&b, 1000);
    for (uint32_t j = random_below(20); j > 0; j--)
      memory_bench_cycle(&b);
    memory_bench_reset(&b, false);
    b.in = cut;
    memory_bench_until_taken(&b, 1000);
    memory_bench_run_random(&b, 100);
  }
  memory_bench_end(&b);
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
    struct memory_bench b = create();
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
    memory_bench_reset(&b, true);
    until_started(&b);
    const struct ddr3_levelling got = ddr3_block_levelling(b.block);
    cr_expect(got.started == (shortest >= 2), "of a byte %u delays work: it %s", shortest,
              got.started ? "started" : "failed");
    cr_expect(got.started != got.failed);
    cr_expect(!got.started || got.chosen == expected, "chosen: %03x, not %03x", got.chosen, expected);
    started += got.started;
    failed += got.failed;
    memory_bench_end(&b);
  }
  cr_expect(started > 5 && failed > 1, "%u started, %u failed", started, failed);
}

static void expect_failed(const struct memory_bench *b) {
  const struct ddr3_levelling got = ddr3_block_levelling(b->block);
  cr_assert(got.failed && !got.started);
}

// A byte with no delay that works, as of a pin that is not soldered.
Test(ddr3, reports_a_chip_that_cannot_be_levelled_and_answers_all_the_same) {
  for (int byte = 0; byte < 2; byte++) {
    random_seed(3);
    struct memory_bench b = create();
    ddr3_block_chip(b.block)->windows[byte].arrives = 0;
    memory_bench_reset(&b, true);
    until_started(&b);
    expect_failed(&b);
    b.in.response_ready = true;
    for (int i = 0; i < 200; i++) {
      memory_bench_random_store(&b);
      memset(b.in.data, 0, sizeof b.in.data);
      memory_bench_until_taken(&b, 10);
      memory_bench_random_load(&b);
      memory_bench_until_taken(&b, 100);
    }
    memory_bench_until_all_came(&b, 100);
    expect_failed(&b);
    memory_bench_end(&b);
  }
}

// A byte that fails only now and then: it has a run of delays, but not when they are tried again.
Test(ddr3, reports_a_chip_that_fails_once_it_is_levelled) {
  random_seed(4);
  struct memory_bench b = create();
  struct ddr3_chip *chip = ddr3_block_chip(b.block);
  memory_bench_reset(&b, true);
  // The scan reads 96 bursts.
  for (int i = 0; i < START_CYCLES && chip->reads < 96; i++)
    memory_bench_cycle(&b);
  for (int i = 0; i < 100; i++)
    memory_bench_cycle(&b);
  chip->windows[1].arrives = 0;
  until_started(&b);
  expect_failed(&b);
  memory_bench_end(&b);
}

// rtl/boards/orangecrab.v tells the device these, which the capability block hands on.
Test(ddr3, is_as_fast_as_boards_say) {
  struct memory_bench b = begin();
  const struct memory_speed speed = memory_bench_speed(&b, memory_bench_address(&b, 1 << 12), 1 << 12);
  cr_log_info("beats of %u: %.1f cycles to a beat (%u at most), %.1f a line", BEAT_BYTES, speed.first, speed.longest,
              speed.interval);
  if (BEAT_BYTES <= 32) {
    memory_expect_cycles("to a beat", 22 + 2 * (BEAT_BYTES / 16 - 1), 1, speed.first);
    memory_expect_cycles("a line", 8, 0.5, speed.interval);
  }
  memory_bench_end(&b);
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

#define EXPECT_WRONG(text, ...)                                            \
  do {                                                                     \
    const struct step steps[] = {__VA_ARGS__};                             \
    memory_expect_wrong(text, after(steps, sizeof steps / sizeof *steps)); \
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
  memory_expect_wrong("", after_start(201, 501, "2310"));
  memory_expect_wrong("time in reset", after_start(199, 501, "2310"));
  memory_expect_wrong("time from reset to cke", after_start(201, 499, "2310"));
  memory_expect_wrong("mode register 0 is set, not 1", after_start(201, 501, "230"));
}
