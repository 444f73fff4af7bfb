// SPDX-License-Identifier: Apache-2.0
// The firmware's image, as it goes to HEDDLE_FIRMWARE_FIRST of a device with a command processor. Linked into the host
// library and the tests.
#ifndef HEDDLE_FIRMWARE_H
#define HEDDLE_FIRMWARE_H

#include <stdint.h>

extern const uint8_t heddle_firmware[];
extern const uint32_t heddle_firmware_bytes;  // a multiple of 4, at most HEDDLE_FIRMWARE_BYTES

// Offset of the word in it that holds the number of the first command. It is 0; tests of numbers that wrap put another
// there.
enum { HEDDLE_FIRMWARE_FIRST_COMMAND = 8 };

#endif
