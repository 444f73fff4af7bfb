// SPDX-License-Identifier: Apache-2.0
// What an ECP5 makes of the bytes of a bitstream: whether it is meant for this chip and whole. Every frame's check is
// looked at, so a bit that changed on the way is found. Source of the commands: Lattice FPGA-TN-02039 ("ECP5 and
// ECP5-5G sysCONFIG Usage Guide"); of frames and compression: Project Trellis' description of the format.
#ifndef HEDDLE_JTAG_BITSTREAM_H
#define HEDDLE_JTAG_BITSTREAM_H

#include <stddef.h>
#include <stdint.h>

struct ecp5_part {
  const char *name;
  uint32_t idcode;
  unsigned frames;       // of configuration memory
  unsigned frame_bytes;  // of one of them
};

// The part of this name, without regard to case, or NULL; and the n-th of all, or NULL behind the last.
const struct ecp5_part *ecp5_part(const char *name);
const struct ecp5_part *ecp5_part_at(size_t n);

// Values are those of bits 25-23 of the status register ("BSE error code"), but for the last.
enum bitstream_verdict {
  BITSTREAM_GOOD = 0,
  BITSTREAM_OF_ANOTHER_CHIP = 1,
  BITSTREAM_UNKNOWN_COMMAND = 2,
  BITSTREAM_CRC_WRONG = 3,
  BITSTREAM_NO_PREAMBLE = 4,
  BITSTREAM_CUT_OFF = 5,
};

// Reads `size` bytes as the chip does. `at`: receives the offset at which the verdict was reached. Never reads behind
// them.
enum bitstream_verdict bitstream_check(const uint8_t *bytes, size_t size, const struct ecp5_part *part, size_t *at);

// "is whole", "is for another chip", ...: what a verdict says of a bitstream. Static storage.
const char *bitstream_verdict_words(enum bitstream_verdict verdict);

#endif
