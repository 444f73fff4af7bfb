// SPDX-License-Identifier: Apache-2.0
// ldexp: x * 2^n, rounded once.
#include "hls/lib/runtime/double_bits.h"

double RUNTIME(ldexp)(double x, int n);

double RUNTIME(ldexp)(double x, int n) {
  uint64_t magnitude = bits_of_double(x) & ~DOUBLE_SIGN_BIT;
  if (magnitude == 0 || magnitude >= DOUBLE_INFINITY_BITS) {
    return x + x;
  }
  int exponent;
  uint64_t fraction = take_double_apart(magnitude, &exponent);
  // Beyond these the result is infinite or zero anyway, and the sum below does not overflow.
  n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
  return round_to_double(bits_of_double(x) & DOUBLE_SIGN_BIT, fraction, exponent + n, 0);
}
