// SPDX-License-Identifier: Apache-2.0
// Copies and fills, a piece at a time, so that the command processor looks after dispatches in between.
#ifndef HEDDLE_FIRMWARE_TRANSFER_H
#define HEDDLE_FIRMWARE_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

struct transfer {
  bool is_fill;
  uint32_t to, from, left;  // addresses and bytes, all of them in global memory
  uint32_t word;            // of a fill: its lowest byte goes to `to`
  uint64_t start;           // the device's clock then
};

// Moves the next 256 bytes, or what is left. True: that was the last of it.
bool transfer_step(struct transfer *t);

#endif
