// SPDX-License-Identifier: Apache-2.0
// A float rounded to half in a given mode, for explicit conversions and stores.
#ifndef HEDDLE_HLS_LIB_HALF_BITS_H
#define HEDDLE_HLS_LIB_HALF_BITS_H

#include "hls/lib/rounding.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

static __attribute__((noinline, unused)) ushort float_to_half(float x, int mode) {
  uint bits = as_uint(x);
  ushort sign = (ushort)(bits >> 16 & 0x8000);
  uint magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000)
    return sign | 0x7E00 | (ushort)(magnitude >> 13 & 0x1FF);
  if (magnitude == 0x7F800000)
    return sign | 0x7C00;
  // The result is value >> shift with the bits shifted out rounded. Below 2^-14, the smallest normal half, it is
  // subnormal: more bits go.
  uint value, shift;
  int exponent = (int)(magnitude >> 23);
  if (exponent >= 127 - 14) {
    value = magnitude - ((127 - 15) << 23);
    shift = 13;
  } else {
    value = exponent == 0 ? magnitude & 0x7FFFFF : (magnitude & 0x7FFFFF) | 0x800000;
    shift = 13 + (127 - 14) - (exponent == 0 ? 1 : exponent);
    shift = shift > 31 ? 31 : shift;
  }
  uint result = value >> shift;
  uint rest = value << (32 - shift);
  // Rounding up carries into the exponent, up to infinity, as the encoding is made for it.
  result += round_up(result & 1, rest >> 31, (rest << 1) != 0, sign != 0, mode);
  if (result >= 0x7C00) {
    // Too large: infinity, or the largest finite number when the mode rounds towards zero on this side.
    result = round_up(1, 1, 1, sign != 0, mode) ? 0x7C00 : 0x7BFF;
  }
  return sign | (ushort)result;
}

// To nearest even is what a cast does, and heddlec has a few instructions for that.
static inline half half_of_float(float x, int mode) {
  return mode == ROUND_TO_EVEN ? (half)x : as_half(float_to_half(x, mode));
}

#endif
