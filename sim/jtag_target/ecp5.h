// SPDX-License-Identifier: Apache-2.0
// The configuration port of an ECP5 at its JTAG pins, with a configuration flash behind it: takes a bitstream and says
// by DONE whether it works with it. Sources: IEEE 1149.1 (the TAP controller); Lattice FPGA-TN-02039, "sysCONFIG Usage
// Guide" (instructions, status register).
#ifndef HEDDLE_JTAG_ECP5_H
#define HEDDLE_JTAG_ECP5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/jtag_target/bitstream.h"
#include "sim/jtag_target/spi_flash.h"

// The most that a bitstream may have; one of the largest part that is not compressed has under 2 MiB.
enum { ECP5_RECEIVED_BYTES = 4 << 20 };

struct ecp5 {
  const struct ecp5_part *part;
  bool done_low;           // something on the board holds DONE down
  struct spi_flash flash;  // flash.bytes is the caller's
  uint8_t *received;       // ECP5_RECEIVED_BYTES, the caller's: what was shifted in as a bitstream
  uint64_t received_bits;  // of the last one; beyond the room they are counted only
  bool loaded;             // a bitstream was taken; its verdict is:
  enum bitstream_verdict verdict;
  size_t verdict_at;
  bool from_flash;  // it came from the flash

  unsigned state;  // of the TAP controller
  uint8_t instruction;
  uint64_t shift;
  unsigned shift_bits;
  bool done, enabled, background, selected;
};

// Sets it to what it is after power-up, without loading anything. part, done_low, flash.bytes and received are kept.
void ecp5_power_up(struct ecp5 *ecp5);

// A cycle of TCK. Returns TDO.
bool ecp5_clock(struct ecp5 *ecp5, bool tms, bool tdi);

#endif
