// SPDX-License-Identifier: Apache-2.0
// A Verilated memory controller and its chip, as the device cache sees them: a channel of external memory. A suite is
// linked with one: sdram_block.cpp or ddr3_block.cpp.
#ifndef HEDDLE_TESTS_RTL_MEMORY_BLOCK_H
#define HEDDLE_TESTS_RTL_MEMORY_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_MEMORY_BEAT_BYTES = 128 };

struct memory_in {
  bool core_rst;  // where what starts the chip has a reset of its own, which brings rst with it
  bool rst, valid, store, response_ready;
  uint32_t address;
  uint8_t data[MOST_MEMORY_BEAT_BYTES];
  bool strobe[MOST_MEMORY_BEAT_BYTES];
};

struct memory_out {
  bool ready, response_valid;
  uint8_t response[MOST_MEMORY_BEAT_BYTES];
};

// NULL: there is no memory.
struct memory_block;
struct memory_block *memory_block_create(int seed);
void memory_block_destroy(struct memory_block *block);

// One cycle: what the ports say before its end.
void memory_block_cycle(struct memory_block *block, const struct memory_in *in, struct memory_out *out);

// The first thing that was done to the chip and that its data sheet forbids; empty: none.
const char *memory_block_wrong(const struct memory_block *block);

#ifdef __cplusplus
}
#endif
#endif
