// SPDX-License-Identifier: Apache-2.0
// ldexp: x * 2^n, rounded once. Of the type whose bits were included before.
#ifndef HEDDLE_HLS_RUNTIME_SCALE_H
#define HEDDLE_HLS_RUNTIME_SCALE_H

number MATHS(ldexp)(number x, int n);

number MATHS(ldexp)(number x, int n) {
  word magnitude = bits_of(x) & ~SIGN_BIT;
  if (magnitude == 0 || magnitude >= INFINITY_BITS)
    return x + x;
  int exponent;
  word fraction = take_apart(magnitude, &exponent);
  // Beyond these the result is infinite or zero anyway, and the sum below does not overflow.
  const int most = 4 * EXPONENT_BIAS;
  n = n > most ? most : n < -most ? -most : n;
  return round_to_number(bits_of(x) & SIGN_BIT, fraction, exponent + n, 0);
}

#endif
