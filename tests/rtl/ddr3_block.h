// SPDX-License-Identifier: Apache-2.0
// The Verilated DDR3 memory and a chip behind its PHY, as the device cache sees them: a channel of external memory.
#ifndef HEDDLE_TESTS_RTL_DDR3_BLOCK_H
#define HEDDLE_TESTS_RTL_DDR3_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/ddr3/ddr3_chip.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_DDR3_ROW_BYTES = 128 };

struct ddr3_in {
  bool core_rst, rst, valid, store, response_ready;
  uint32_t address;
  uint8_t data[MOST_DDR3_ROW_BYTES];
  bool strobe[MOST_DDR3_ROW_BYTES];
};

struct ddr3_out {
  bool ready, response_valid;
  uint8_t response[MOST_DDR3_ROW_BYTES];
  bool started, failed;
  unsigned chosen;  // five bits for each byte: delay, and slip above it
};

struct ddr3_block;
struct ddr3_block *ddr3_block_create(int seed);
void ddr3_block_destroy(struct ddr3_block *block);

// One cycle: what the ports say before its end. Its chip, to look at and to change windows of.
void ddr3_block_cycle(struct ddr3_block *block, const struct ddr3_in *in, struct ddr3_out *out);
struct ddr3_chip *ddr3_block_chip(struct ddr3_block *block);

#ifdef __cplusplus
}
#endif
#endif
