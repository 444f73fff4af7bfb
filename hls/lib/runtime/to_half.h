// SPDX-License-Identifier: Apache-2.0
// Rounding to half, for conversions from float and from double.
#ifndef HEDDLE_HLS_RUNTIME_TO_HALF_H
#define HEDDLE_HLS_RUNTIME_TO_HALF_H

#include <stdint.h>

// The half nearest to a number that is no NaN, of two the even one. `sign` is the half's sign bit, `magnitude` the
// number's exponent field, of that bias, and so many bits of fraction behind it.
static inline uint32_t round_to_half(uint32_t sign, uint32_t magnitude, uint32_t fraction_bits, uint32_t bias) {
  if (magnitude >= (bias + 16) << fraction_bits)
    return sign | 0x7C00u;  // 65536 and above
  uint32_t value = magnitude - ((bias - 15) << fraction_bits);
  uint32_t shift = fraction_bits - 10;
  if (magnitude < (bias - 14) << fraction_bits) {
    // Below the smallest normal half: the leading one is no longer implied, and more bits go.
    if (magnitude < (bias - 25) << fraction_bits)
      return sign;  // below half the smallest subnormal
    uint32_t implied = 1u << fraction_bits;
    value = (magnitude & (implied - 1)) | implied;
    shift += bias - 14 - (magnitude >> fraction_bits);
  }
  // To nearest, ties to even; a carry goes into the exponent, up to infinity, as the encoding is made for it.
  uint32_t odd = value >> shift & 1;
  return sign | (value + (1u << (shift - 1)) - 1 + odd) >> shift;
}

#endif
