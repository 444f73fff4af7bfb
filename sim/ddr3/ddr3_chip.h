// SPDX-License-Identifier: Apache-2.0
// A DDR3 SDRAM of 16 bits behind its PHY, 8 banks of 8192 rows of 1024 words (128 MiB), with what its data sheet
// forbids, and delays with which the PHY gets its bursts. Written from data sheets (rtl/ddr3/README.md names them), not
// from litedram. Used by simulated boards and tests; ddr3_phy_model.v tells it what stands at the PHY's commands.
#ifndef HEDDLE_DDR3_CHIP_H
#define HEDDLE_DDR3_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR3_BANKS = 8, DDR3_ROWS = 8192, DDR3_WORDS = 1 << 26, DDR3_BURST_BYTES = 16 };

// Of a byte of the data pins. Bit n: delay n.
struct ddr3_window {
  uint8_t arrives;  // what is read is what was stored, if slip fits, too
  uint8_t seen;     // a burst is detected
  uint8_t slip;
};

struct ddr3_chip {
  uint8_t *changes;  // by bank, row, column: what differs from the arbitrary contents it begins with
  char wrong[128];   // the first thing that a data sheet forbids; empty: none
  struct ddr3_window windows[2];
  uint64_t refreshes, activations, reads, writes, calibrations;

  // The rest is its own. Times are cycles of its clock.
  uint64_t now;
  unsigned khz, phy_latency, phy_write_latency;
  bool in_reset, enabled, ready;
  uint64_t reset_began, reset_ended, enable_began, last_mode, last_calibration, first_refresh, last_refresh;
  uint64_t last_activation[4], last_column, last_write_end, dll_reset;
  unsigned modes_set, mode[4];
  struct {
    bool open;
    unsigned row;
    uint64_t activated, precharged, read, written;
  } banks[DDR3_BANKS];
  uint32_t write_at[8], read_at;  // words
  unsigned write_first, write_count;
  bool read_wanted, write_misplaced, read_misplaced;
};

// Its contents are arbitrary; bursts arrive with delays 2 to 4 and slip 1. False if there is no memory.
bool ddr3_chip_begin(struct ddr3_chip *chip);
void ddr3_chip_end(struct ddr3_chip *chip);

// What is simulated from now on has this chip.
void ddr3_chip_use(struct ddr3_chip *chip);

// What it holds, by word.
uint16_t ddr3_chip_word(const struct ddr3_chip *chip, uint32_t word);

// What ddr3_phy_model.v calls: in each cycle of a reset; at each of two commands in a cycle; with a burst to write; for
// one to read, of which bit n says that byte n's was seen.
void ddr3_dfi_reset(int khz, int cas_latency, int cas_write_latency);
void ddr3_dfi_command(int phase, int pins, int bank, int address);
void ddr3_dfi_write(long long low, long long high, int mask);
int ddr3_dfi_read(int delays, int slips, long long *low, long long *high);

#ifdef __cplusplus
}
#endif
#endif
