// SPDX-License-Identifier: Apache-2.0
// The host's transport for PCIe and rtl/pcie, packet by packet: what tests/transport/pcie.c promises of a card that is
// mere memory, and tests/pcie of packets that a test makes up, holds where the two meet. libheddle.so is as it is
// installed; tlp_bed.h stands for the kernel, and the card behind it is Verilated.
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/pcie_checks.h"
#include "tests/transport/tlp_bed.h"

// Of the card: some of its memory that nothing else uses, and its end.
enum { MEMORY_AT = 0x40000, MEMORY_END = 1 << 20 };

static void plug_in(enum tlp_bed_kind kind) {
  tlp_bed_plug(kind);
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
}

// ---- Results

Test(tlp, runs_collectives_through_the_cards_memory) {
  plug_in(TLP_BED_SYSFS);
  expect_scan(32);
  expect_words_back(1024);
  const struct root_complex_figures f = tlp_bed_figures();
  cr_assert(f.bar_reads != 0 && f.bar_writes != 0 && f.reads + f.writes + f.interrupts == 0,
            "the card has sent %llu requests", (unsigned long long)(f.reads + f.writes + f.interrupts));
}

Test(tlp, runs_collectives_by_dma_and_interrupts) {
  enum { WORDS = 16384 };
  plug_in(TLP_BED_VFIO);
  expect_scan(64);
  const struct root_complex_figures before = tlp_bed_figures();
  expect_words_back(WORDS);
  const struct root_complex_figures after = tlp_bed_figures();
  cr_assert(
      after.bytes_read - before.bytes_read >= 4 * WORDS && after.bytes_written - before.bytes_written >= 4 * WORDS,
      "the card read %llu bytes and wrote %llu", (unsigned long long)(after.bytes_read - before.bytes_read),
      (unsigned long long)(after.bytes_written - before.bytes_written));
  // What the host itself moves for it is requests, not data.
  cr_assert(after.bar_writes - before.bar_writes < WORDS / 8, "the host wrote %llu words",
            (unsigned long long)(after.bar_writes - before.bar_writes));
  cr_assert(after.interrupts > 0 && after.refused == 0, "%llu interrupts, %llu accesses refused",
            (unsigned long long)after.interrupts, (unsigned long long)after.refused);
}

Test(tlp, runs_collectives_without_an_interrupt) {
  plug_in(TLP_BED_VFIO_NO_INTERRUPT);
  expect_scan(32);
  const struct root_complex_figures f = tlp_bed_figures();
  cr_assert(f.bytes_read != 0 && f.interrupts == 0);
}

Test(tlp, reports_a_fault_and_runs_the_next_kernel) {
  plug_in(TLP_BED_VFIO);
  expect_fault();
  expect_scan(32);
}

Test(tlp, moves_any_number_of_bytes_through_the_cards_memory) {
  tlp_bed_plug(TLP_BED_SYSFS);
  expect_any_bytes_back(MEMORY_AT, 30, 600);
}

Test(tlp, moves_any_number_of_bytes_by_dma) {
  tlp_bed_plug(TLP_BED_VFIO);
  expect_any_bytes_back(MEMORY_AT, 100, 12000);
}

// ---- What goes wrong

Test(tlp, an_address_that_is_none_is_said_and_the_link_goes_on) {
  tlp_bed_plug(TLP_BED_SYSFS);
  expect_no_address(MEMORY_AT, MEMORY_END, 1024, 8192);
}

Test(tlp, an_address_that_is_none_is_said_and_the_link_goes_on_with_dma) {
  tlp_bed_plug(TLP_BED_VFIO);
  expect_no_address(MEMORY_AT, MEMORY_END, 1024, 8192);
}

Test(tlp, a_card_that_may_not_reach_memory_says_so_and_goes_on_when_it_may) {
  struct heddle_link link;
  uint32_t word = 0x12345678, back = 0;
  tlp_bed_plug(TLP_BED_VFIO);
  open_card(&link);
  cr_assert(link.transport->write(link.state, MEMORY_AT, &word, sizeof word) == 0);
  tlp_bed_set_master(false);
  cr_assert(link.transport->read(link.state, MEMORY_AT, &back, sizeof back) == -EIO);
  cr_assert(back == 0);
  tlp_bed_set_master(true);
  cr_assert(link.transport->read(link.state, MEMORY_AT, &back, sizeof back) == 0 && back == word);
  link.transport->close(link.state);
}

Test(tlp, a_card_that_is_opened_again_starts_afresh_and_keeps_its_memory) {
  struct heddle_link link;
  uint32_t word = 0xCAFE, back = 0;
  tlp_bed_plug(TLP_BED_VFIO);
  for (int i = 0; i < 3; i++) {
    open_card(&link);
    if (i != 0)
      cr_assert(link.transport->read(link.state, MEMORY_AT, &back, sizeof back) == 0 && back == word);
    word += 1;
    cr_assert(link.transport->write(link.state, MEMORY_AT, &word, sizeof word) == 0);
    link.transport->close(link.state);
  }
}

Test(tlp, card_that_is_pulled_out_ends_its_events_and_later_calls) {
  plug_in(TLP_BED_VFIO);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), tlp_bed_unplug);
}

Test(tlp, card_that_is_pulled_out_ends_its_events_without_dma) {
  plug_in(TLP_BED_SYSFS);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), tlp_bed_unplug);
}

Test(tlp, work_in_flight_ends_when_the_card_is_pulled_out) {
  uint32_t seed = 11;
  plug_in(TLP_BED_VFIO);
  pull_out_in_flight(harness()->queue, build(scan_source, "-cl-std=CL3.0"), &seed, tlp_bed_unplug);
}

// ---- Cycles

// A host without a library or a thread: every cycle is counted.
enum {
  BUFFER_BYTES = 0x10000,
  PIECE = 4096,
  HOST_AT = 0x100000,
  IN = 0x8000,
  REG_OPENED = 0x14,
  REG_HEAD = 0x18,
  REG_OPEN = 0x40,
  REG_TAIL = 0x44
};
static uint8_t host_bytes[BUFFER_BYTES];

static uint8_t *buffer_memory(void *host, uint64_t address, size_t bytes) {
  (void)host;
  const uint64_t at = address - HOST_AT;
  return at <= BUFFER_BYTES && bytes <= BUFFER_BYTES - at ? host_bytes + at : NULL;
}

static void no_interrupt(void *host) {
  (void)host;
}

// Cycles from the ring's tail until its head is there, of 16 requests that were written before.
static uint64_t cycles_of(struct root_complex *root, uint32_t kind) {
  enum { MOST = 10000000, STEP = 16 };
  const uint32_t tail = root_complex_read(root, REG_TAIL);
  for (uint32_t i = 0; i < BUFFER_BYTES / PIECE; i++) {
    const uint32_t request[] = {kind | 0x100, MEMORY_AT + i * PIECE, PIECE, HOST_AT + i * PIECE, 0};
    for (uint32_t word = 0; word < 5; word++)
      root_complex_write(root, IN + 32 * ((tail + i) % 16) + 4 * word, request[word], 0xF);
  }
  root_complex_run(root, 100);
  const struct root_complex_figures before = root_complex_figures(root);
  root_complex_write(root, REG_TAIL, tail + BUFFER_BYTES / PIECE, 0xF);
  struct root_complex_figures now = before;
  // The card is not asked meanwhile: its last byte moved is the end of a transfer.
  while ((kind == 1 ? now.bytes_written - before.bytes_written : now.bytes_read - before.bytes_read) < BUFFER_BYTES &&
         now.cycles - before.cycles < MOST) {
    root_complex_run(root, STEP);
    now = root_complex_figures(root);
  }
  while (root_complex_read(root, REG_HEAD) != tail + BUFFER_BYTES / PIECE)
    cr_assert(root_complex_figures(root).cycles - before.cycles < MOST, "the card does not end");
  return root_complex_figures(root).cycles - before.cycles;
}

Test(tlp, sixty_four_KiB_go_by_dma_in_no_more_cycles_than_the_readme_says) {
  static const struct root_complex_host host = {.memory = buffer_memory, .interrupt = no_interrupt};
  static uint8_t expected[BUFFER_BYTES];
  // rtl/pcie/README.md, and 2 %.
  enum { LATENCY = 100, WORDS = BUFFER_BYTES / 4, MOST_THERE = 45300, MOST_BACK = 94800 };
  uint32_t seed = 3;
  struct root_complex *root = root_complex_create(&host, false, LATENCY);
  cr_assert_not_null(root);
  root_complex_allow(root, true);
  root_complex_write(root, REG_OPEN, 1, 0xF);
  while (root_complex_read(root, REG_OPENED) != 1) {
  }
  for (size_t i = 0; i < BUFFER_BYTES; i++)
    host_bytes[i] = expected[i] = (uint8_t)random_u32(&seed);
  const uint64_t there = cycles_of(root, 2);
  memset(host_bytes, 0, sizeof host_bytes);
  const uint64_t back = cycles_of(root, 1);
  cr_assert(memcmp(host_bytes, expected, BUFFER_BYTES) == 0, "other bytes came back");
  printf("64 KiB to the device: %llu cycles, %.1f %% of a word a cycle; back: %llu cycles, %.1f %%\n",
         (unsigned long long)there, 100.0 * WORDS / (double)there, (unsigned long long)back,
         100.0 * WORDS / (double)back);
  cr_assert(there <= MOST_THERE && back <= MOST_BACK, "%llu and %llu cycles", (unsigned long long)there,
            (unsigned long long)back);
  root_complex_destroy(root);
}
