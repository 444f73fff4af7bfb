// SPDX-License-Identifier: Apache-2.0
// fmin and fmax: a number wins over a NaN, and -0 is less than +0. Also under the names of IEEE 754-2019, which code
// generation uses for them too. Of the type whose bits were included before.
#ifndef HEDDLE_HLS_RUNTIME_MINIMUM_H
#define HEDDLE_HLS_RUNTIME_MINIMUM_H

number MATHS(fmin)(number a, number b);
number MATHS(fmax)(number a, number b);
number MATHS(fminimum_num)(number a, number b);
number MATHS(fmaximum_num)(number a, number b);

// Bits of numbers as integers in the same order.
static inline signed_word order(word bits) {
  return (bits & SIGN_BIT) != 0 ? (signed_word)(bits ^ ~SIGN_BIT) : (signed_word)bits;
}

static number choose(number a, number b, int want_less) {
  word x = bits_of(a), y = bits_of(b);
  if (is_nan(x))
    return is_nan(y) ? a + b : b;
  if (is_nan(y))
    return a;
  return (order(x) < order(y)) == want_less ? a : b;
}

number MATHS(fmin)(number a, number b) {
  return choose(a, b, 1);
}

number MATHS(fmax)(number a, number b) {
  return choose(a, b, 0);
}

number MATHS(fminimum_num)(number a, number b) {
  return choose(a, b, 1);
}

number MATHS(fmaximum_num)(number a, number b) {
  return choose(a, b, 0);
}

#endif
