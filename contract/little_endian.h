// SPDX-License-Identifier: Apache-2.0
// Words of 32 bits in files, frames and records: the lowest byte first, at any address, on any machine. The caller has
// checked that the four bytes are there.
#ifndef HEDDLE_LITTLE_ENDIAN_H
#define HEDDLE_LITTLE_ENDIAN_H

#include <stdint.h>

static inline uint32_t heddle_get32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void heddle_put32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t)(value >> (8 * i));
}

#endif
