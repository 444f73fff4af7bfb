// SPDX-License-Identifier: Apache-2.0
// ldexpf: x * 2^n, rounded once.
#include "hls/lib/runtime/float_bits.h"

float RUNTIME(ldexpf)(float x, int n);

float RUNTIME(ldexpf)(float x, int n) {
  uint32_t magnitude = bits_of(x) & ~SIGN_BIT;
  if (magnitude == 0 || magnitude >= INFINITY_BITS) {
    return x + x;
  }
  int exponent;
  uint32_t fraction = take_apart(magnitude, &exponent);
  // Beyond these the result is infinite or zero anyway, and the sum below does not overflow.
  n = n > 1000 ? 1000 : n < -1000 ? -1000 : n;
  return round_to_float(bits_of(x) & SIGN_BIT, fraction, exponent + n, 0);
}
