// SPDX-License-Identifier: Apache-2.0
// Copies and fills, a piece at a time, so that the command processor looks after dispatches in between.
#ifndef HEDDLE_FIRMWARE_TRANSFER_H
#define HEDDLE_FIRMWARE_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/device.h"

struct transfer {
  bool is_fill;                          // with `word`
  bool repeats;                          // a fill with the HEDDLE_RING_PATTERN_BYTES bytes at `from`
  uint32_t to, from, left;               // addresses and bytes of the row, all of them in global memory
  uint32_t word;                         // of a fill: its lowest byte goes to `to`
  uint32_t rows;                         // of a copy: those behind this one; of the others none
  uint32_t row_bytes, row_to, row_from;  // of this one and where it begins
  uint32_t to_pitch, from_pitch;         // bytes from a row to the next
  uint64_t start;                        // the device's clock then
};

enum transfer_state { TRANSFER_GOES_ON, TRANSFER_ENDED, TRANSFER_OUTSIDE };

// Moves the next piece of the row, or what is left of it. TRANSFER_OUTSIDE: the next row is not in global memory.
enum transfer_state transfer_step(struct transfer *t);

// Whether all of it is in global memory; of no bytes, its address in it or at its end.
static inline bool is_global(uint32_t address, uint32_t count) {
  const uint32_t end = words_at(HEDDLE_CONTROL_BASE)[HEDDLE_REG_GLOBAL_BYTES / 4];
  return address >= HEDDLE_PROCESSOR_END && address <= end && count <= end - address;
}

#endif
