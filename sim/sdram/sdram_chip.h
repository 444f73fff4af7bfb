// SPDX-License-Identifier: Apache-2.0
// An SDR SDRAM of 16 bits at its pins, 4 banks of 8192 rows of 512 words (32 MiB), with what its data sheet forbids.
// Written from data sheets (rtl/sdram/README.md names them), not from rtl/sdram. Used by the simulated boards and the
// tests.
#ifndef HEDDLE_SDRAM_CHIP_H
#define HEDDLE_SDRAM_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SDRAM_BANKS = 4, SDRAM_ROWS = 8192, SDRAM_WORDS = 1 << 24 };

// What stands at the pins when the chip's clock rises.
struct sdram_pins {
  bool cke, cs_n, ras_n, cas_n, we_n;
  uint8_t ba, dqm;
  uint16_t a, dq;
  bool dq_driven;  // by the other side
};

struct sdram_chip {
  uint16_t *words;  // by bank, row, column
  char wrong[128];  // the first thing that a data sheet forbids; empty: none
  bool drives;      // the chip drives dq, from behind this edge to behind the next
  uint16_t dq;      // what it drives
  uint64_t refreshes, all_refreshes, activations;

  uint64_t began, last_edge, last_activation, last_refresh, last_mode, refreshed_from;  // ps
  bool powered, ready;
  unsigned first_refreshes, cas_latency;
  uint8_t last_dqm;
  struct {
    bool open;
    uint16_t row;
    uint64_t activated, precharged, written;
  } banks[SDRAM_BANKS];
  struct {
    bool valid;
    uint16_t word;
  } coming[4];                     // what the chip drives after this and the next edges
  uint64_t refreshed[SDRAM_ROWS];  // by row, when
};

// Its words are arbitrary. False if there is no memory.
bool sdram_chip_begin(struct sdram_chip *chip, uint64_t now_ps);
void sdram_chip_end(struct sdram_chip *chip);

// The chip's clock rises.
void sdram_chip_edge(struct sdram_chip *chip, uint64_t now_ps, const struct sdram_pins *pins);

#ifdef __cplusplus
}
#endif
#endif
