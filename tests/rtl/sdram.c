// SPDX-License-Identifier: Apache-2.0
// The SDRAM controller: what is written comes back, nothing that a data sheet forbids reaches the chip, and a write
// never waits for lines to be taken. And the model of the chip: it does notice.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/rtl/memory_controller.h"
#include "tests/rtl/random_word.h"
#include "tests/rtl/sdram_block.h"

enum {
  BEAT_BYTES = 1 << BEAT_LOG2,
  BYTES = 1 << 25,
  START_CYCLES = 30000  // at most, from rst until the chip has started
};

static struct memory_bench begin(void) {
  random_seed(1);
  struct memory_bench b = {.beat_bytes = BEAT_BYTES, .chip_bytes = BYTES, .patience = START_CYCLES};
  memory_bench_begin(&b);
  memory_bench_reset(&b, false);
  // What the chip holds when it starts, as an address of the device finds it: row, bank, column.
  const uint16_t *words = sdram_block_chip(b.block)->words;
  for (uint32_t i = 0; i < BYTES; i++) {
    const uint32_t word = i / 2;
    const uint16_t value = words[(word >> 9 & 3) << 22 | word >> 11 << 9 | (word & 0x1FF)];
    b.bytes[i] = (uint8_t)(i % 2 ? value >> 8 : value);
  }
  return b;
}

Test(sdram, gives_back_what_was_written_within_all_limits_of_the_chip) {
  struct memory_bench b = begin();
  memory_bench_run_random(&b, 20000);
  const struct sdram_chip *chip = sdram_block_chip(b.block);
  cr_expect(chip->activations > 1000, "rows were hardly changed");
  const uint64_t due = (chip->last_edge - chip->refreshed_from) / 7812500;
  cr_expect(chip->refreshes + 1 >= due, "%llu refreshes, not %llu", (unsigned long long)chip->refreshes,
            (unsigned long long)due);
  memory_bench_end(&b);
}

Test(sdram, takes_a_write_while_lines_stand) {
  struct memory_bench b = begin();
  b.in.response_ready = false;
  for (int i = 0; i < START_CYCLES; i++)
    memory_bench_cycle(&b);
  memory_bench_random_load(&b);
  memory_bench_until_taken(&b, 1000);
  memory_bench_store_while_lines_stand(&b);
  memory_bench_end(&b);
}

Test(sdram, keeps_what_it_holds_when_it_is_started_afresh) {
  struct memory_bench b = begin();
  memory_bench_run_random(&b, 500);
  for (int i = 0; i < 3; i++) {
    memory_bench_random_load(&b);
    memory_bench_until_taken(&b, 1000);
    memory_bench_random_store(&b);
    const struct memory_in cut = b.in;  // perhaps half written when rst comes
    memory_bench_until_taken(&b, 1000);
    for (uint32_t j = random_below(40); j > 0; j--)
      memory_bench_cycle(&b);
    memory_bench_reset(&b, false);
    b.in = cut;
    memory_bench_until_taken(&b, START_CYCLES);
    memory_bench_run_random(&b, 500);
  }
  memory_bench_end(&b);
}

// rtl/boards/ulx3s.v tells the device these, which the capability block hands on.
Test(sdram, is_as_fast_as_boards_say) {
  struct memory_bench b = begin();
  b.in.response_ready = true;
  memory_bench_random_load(&b);
  memory_bench_until_taken(&b, 1000);
  for (int i = 0; i < START_CYCLES; i++)  // it is taken at once, and carried out when the chip has started
    memory_bench_cycle(&b);
  const struct memory_speed speed = memory_bench_speed(&b, 4096 * 100, BYTES);
  cr_log_info("%u kHz, CAS latency %u, beats of %u: %.1f cycles to a beat (%u at most), %.1f a line", CLOCK_KHZ,
              CAS_LATENCY, BEAT_BYTES, speed.first, speed.longest, speed.interval);
  if (BEAT_BYTES <= 32 && CLOCK_KHZ == 75000) {
    memory_expect_cycles("to a beat", 13 + BEAT_BYTES / 2, 1, speed.first);
    memory_expect_cycles("a line", 35, 1, speed.interval);
  }
  memory_bench_end(&b);
}

// The chip's own limits: each of these is forbidden, and the same one allowed distance later is not.
struct step {
  uint64_t at;  // ns
  const char *what;
};

static struct sdram_pins pins_of(const char *what) {
  struct sdram_pins pins = {.cke = true};
  const char command = what[0];
  pins.ras_n = strchr("RWN", command);
  pins.cas_n = strchr("APN", command);
  pins.we_n = strchr("ARFN", command);
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

#define EXPECT_WRONG(text, ...)                                            \
  do {                                                                     \
    const struct step steps[] = {__VA_ARGS__};                             \
    memory_expect_wrong(text, after(steps, sizeof steps / sizeof *steps)); \
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
