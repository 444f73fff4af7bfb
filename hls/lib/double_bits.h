// SPDX-License-Identifier: Apache-2.0
// A double rounded to float or half in a given mode, for explicit conversions and stores.
#ifndef HEDDLE_HLS_LIB_DOUBLE_BITS_H
#define HEDDLE_HLS_LIB_DOUBLE_BITS_H

#include "hls/lib/rounding.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Bits of a format with so many bits of fraction and of exponent; its sign is the bit above them.
static __attribute__((noinline, unused)) uint double_to_narrow(double x, uint fraction_bits, uint exponent_bits,
                                                               int mode) {
  ulong bits = as_ulong(x), magnitude = bits & LONG_MAX;
  bool is_negative = bits >> 63 != 0;
  uint sign = (uint)(bits >> 63) << (fraction_bits + exponent_bits);
  uint infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  if (magnitude > 0x7FF0000000000000)
    return sign | infinity | 1u << (fraction_bits - 1);
  if (magnitude == 0x7FF0000000000000)
    return sign | infinity;
  // The result is value >> shift with the bits shifted out rounded. Below the smallest normal number it is subnormal:
  // more bits go.
  int exponent = (int)(magnitude >> 52) - 1023, least = 2 - (1 << (exponent_bits - 1));
  ulong value = (magnitude & 0x000FFFFFFFFFFFFF) | (exponent > -1023 ? 0x0010000000000000 : 0);
  uint shift = 52 - fraction_bits, field = 0;
  if (exponent >= least) {
    field = (uint)(exponent - least) << fraction_bits;  // to which the leading one adds 1
    if (exponent > 1 - least) {
      field = infinity;
      value = 0x0010000000000000;
    }
  } else {
    shift = min(shift + (uint)(least - exponent), 63u);
  }
  uint result = (uint)(value >> shift) + field;
  ulong rest = value << (64 - shift);
  // Rounding up carries into the exponent, up to infinity, as the encoding is made for it.
  result += round_up(result & 1, (uint)(rest >> 63), (rest << 1) != 0, is_negative, mode);
  if (result >= infinity) {
    // Too large: infinity, or the largest finite number when the mode rounds towards zero on this side.
    result = infinity - (round_up(1, 1, 1, is_negative, mode) ? 0 : 1);
  }
  return sign | result;
}

// To nearest even is what a cast does.
static inline float float_of_double(double x, int mode) {
  return mode == ROUND_TO_EVEN ? (float)x : as_float(double_to_narrow(x, 23, 8, mode));
}

static inline half half_of_double(double x, int mode) {
  return mode == ROUND_TO_EVEN ? (half)x : as_half((ushort)double_to_narrow(x, 10, 5, mode));
}

#endif
