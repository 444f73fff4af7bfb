// SPDX-License-Identifier: Apache-2.0
// sqrtf, correctly rounded, a bit of the result at a time.
#include "hls/lib/runtime/float_bits.h"

float RUNTIME(sqrtf)(float x);

float RUNTIME(sqrtf)(float x) {
  uint32_t bits = bits_of(x);
  uint32_t magnitude = bits & ~SIGN_BIT;
  if (magnitude == 0 || magnitude > INFINITY_BITS || bits == INFINITY_BITS) {
    return x + x;  // a NaN becomes a quiet one
  }
  if (bits != magnitude) {
    return float_of(QUIET_NAN_BITS);
  }
  int exponent;
  uint32_t fraction = take_apart(magnitude, &exponent);
  if ((exponent & 1) != 0) {
    fraction <<= 1;
    exponent--;
  }
  // x = fraction * 2^exponent with an even exponent, so the root is that of fraction * 2^26, times 2^(exponent / 2 -
  // 13). 25 bits of it: one more than the result has, and what remains says on which side of it the true root lies.
  uint64_t rest = 0;
  uint32_t root = 0;
  uint64_t radicand = (uint64_t)fraction << 26;
  for (int i = 50; i >= 0; i -= 2) {
    rest = rest << 2 | (radicand >> i & 3);
    uint64_t trial = (uint64_t)root << 2 | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  // The root is never halfway between two floats, so sticky alone rounds it.
  return round_to_float(0, (uint64_t)root << 8 | (rest != 0), exponent / 2 - 13 - 8, 0);
}
