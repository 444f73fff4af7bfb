// SPDX-License-Identifier: Apache-2.0
// sqrt, correctly rounded, a bit of the result at a time.
#include "hls/lib/runtime/double_bits.h"

double RUNTIME(sqrt)(double x);

double RUNTIME(sqrt)(double x) {
  uint64_t bits = bits_of_double(x);
  uint64_t magnitude = bits & ~DOUBLE_SIGN_BIT;
  if (magnitude == 0 || magnitude > DOUBLE_INFINITY_BITS || bits == DOUBLE_INFINITY_BITS) {
    return x + x;  // a NaN becomes a quiet one
  }
  if (bits != magnitude) {
    return double_of(DOUBLE_QUIET_NAN_BITS);
  }
  int exponent;
  uint64_t fraction = take_double_apart(magnitude, &exponent);
  if ((exponent & 1) != 0) {
    fraction <<= 1;
    exponent--;
  }
  // x = fraction * 2^exponent with an even exponent and a fraction of 54 bits at most, so the root is that of
  // fraction * 2^56, times 2^(exponent / 2 - 28). 55 bits of it: one or two more than the result has, and what remains
  // says on which side of it the true root lies.
  uint64_t rest = 0, root = 0;
  fraction <<= 10;
  for (int i = 0; i < 55; i++) {
    rest = rest << 2 | fraction >> 62;
    fraction <<= 2;
    uint64_t trial = root << 2 | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  // The root is never halfway between two doubles, so sticky alone rounds it.
  return round_to_double(0, root << 8 | (rest != 0), exponent / 2 - 28 - 8, 0);
}
