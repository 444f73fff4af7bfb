// SPDX-License-Identifier: Apache-2.0
// The Verilated SDRAM controller and a chip at its pins, as the device cache sees them: a channel of external memory.
#ifndef HEDDLE_TESTS_RTL_SDRAM_BLOCK_H
#define HEDDLE_TESTS_RTL_SDRAM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sdram/sdram_chip.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_SDRAM_ROW_BYTES = 128 };

struct sdram_in {
  bool rst, valid, store, response_ready;
  uint32_t address;
  uint8_t data[MOST_SDRAM_ROW_BYTES];
  bool strobe[MOST_SDRAM_ROW_BYTES];
};

struct sdram_out {
  bool ready, response_valid;
  uint8_t response[MOST_SDRAM_ROW_BYTES];
};

struct sdram_block;
struct sdram_block *sdram_block_create(int seed);
void sdram_block_destroy(struct sdram_block *block);

// One cycle: what the ports say before its end; the chip has seen an edge of its clock. Its chip, to look at.
void sdram_block_cycle(struct sdram_block *block, const struct sdram_in *in, struct sdram_out *out);
const struct sdram_chip *sdram_block_chip(const struct sdram_block *block);

#ifdef __cplusplus
}
#endif
#endif
