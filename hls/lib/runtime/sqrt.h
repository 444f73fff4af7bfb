// SPDX-License-Identifier: Apache-2.0
// sqrt, correctly rounded, a bit of the result at a time. Of the type whose bits were included before.
#ifndef HEDDLE_HLS_RUNTIME_SQRT_H
#define HEDDLE_HLS_RUNTIME_SQRT_H

number MATHS(sqrt)(number x);

// What makes the bits, for each type its own: the root of fraction * 2^exponent, rounded. The exponent is even, the
// fraction has one bit more than a number's at most.
static number root_of(word fraction, int exponent);

number MATHS(sqrt)(number x) {
  word bits = bits_of(x);
  word magnitude = bits & ~SIGN_BIT;
  if (magnitude == 0 || magnitude > INFINITY_BITS || bits == INFINITY_BITS)
    return x + x;  // a NaN becomes a quiet one
  if (bits != magnitude)
    return number_of(QUIET_NAN_BITS);
  int exponent;
  word fraction = take_apart(magnitude, &exponent);
  if ((exponent & 1) != 0) {
    fraction <<= 1;
    exponent--;
  }
  return root_of(fraction, exponent);
}

#endif
