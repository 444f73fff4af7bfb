// SPDX-License-Identifier: Apache-2.0
// fmod, remainder and remquo of NUMBER, and what of a number's exponent is exact: ilogb, logb. By integers, bit by bit.
// libclc's gave zeros the wrong sign, lost subnormals or counted them one binade too low. float_type.h or double_type.h
// come first.
#ifndef HEDDLE_HLS_LIB_REMAINDER_H
#define HEDDLE_HLS_LIB_REMAINDER_H

#include "hls/lib/vectors.h"

struct parts {
  WORD fraction;  // with IMPLIED_ONE
  int exponent;   // of bit 0
};

enum { EXPONENT_BITS = 8 * sizeof(WORD) - 1 - FRACTION_BITS, LEAST_EXPONENT = 1 - EXPONENT_BIAS - FRACTION_BITS };

// Of a finite number other than 0.
static struct parts take_apart(WORD magnitude) {
  struct parts parts = {magnitude & (IMPLIED_ONE - 1), (int)(magnitude >> FRACTION_BITS) + LEAST_EXPONENT - 1};
  if (magnitude < IMPLIED_ONE) {
    int zeros = (int)LEADING_ZEROS(magnitude) - EXPONENT_BITS;
    parts.fraction <<= zeros;
    parts.exponent = LEAST_EXPONENT - zeros;
  } else {
    parts.fraction |= IMPLIED_ONE;
  }
  return parts;
}

// fraction * 2^exponent, which has to be a NUMBER and not 0.
static NUMBER put_together(WORD fraction, int exponent) {
  int zeros = (int)LEADING_ZEROS(fraction) - EXPONENT_BITS;  // -1 for a bit too many, of which the last is then 0
  int biased = exponent - zeros - LEAST_EXPONENT + 1;
  if (biased > 0) {
    fraction = zeros >= 0 ? fraction << zeros : fraction >> -zeros;
    return AS_NUMBER(((WORD)biased << FRACTION_BITS) | (fraction & (IMPLIED_ONE - 1)));
  }
  int shift = exponent - LEAST_EXPONENT;
  return AS_NUMBER(shift >= 0 ? fraction << shift : fraction >> -shift);
}

// x - n * y, exactly: n the quotient cut off, or rounded to nearest even; *quotient its low bits, without sign.
static __attribute__((noinline)) NUMBER divide(NUMBER x, NUMBER y, bool to_nearest, uint *quotient) {
  WORD a = MAGNITUDE(x), b = MAGNITUDE(y);
  *quotient = 0;
  if (a >= INFINITY_BITS || b > INFINITY_BITS || b == 0)
    return QUIET_NAN;
  if (b == INFINITY_BITS || a == 0)
    return x;
  struct parts dividend = take_apart(a), divisor = take_apart(b);
  int steps = dividend.exponent - divisor.exponent;
  int exponent = divisor.exponent;
  if (steps < -1)
    return x;  // less than half the divisor
  if (steps == -1) {
    divisor.fraction <<= 1;
    exponent--;
    steps = 0;
  }
  WORD rest = dividend.fraction;
  uint count = 0;
  for (;; steps--) {
    count <<= 1;
    if (rest >= divisor.fraction) {
      rest -= divisor.fraction;
      count |= 1;
    }
    if (steps == 0)
      break;
    rest <<= 1;
  }
  bool is_negative = AS_SIGNED(x) < 0;
  if (to_nearest && (rest * 2 > divisor.fraction || (rest * 2 == divisor.fraction && (count & 1) != 0))) {
    rest = divisor.fraction - rest;
    count++;
    is_negative = !is_negative;
  }
  *quotient = count;
  if (rest == 0)
    return AS_NUMBER(AS_WORD(x) & SIGN_BIT);
  NUMBER result = put_together(rest, exponent);
  return is_negative ? -result : result;
}

NUMBER OVERLOAD fmod(NUMBER x, NUMBER y) {
  uint quotient;
  return divide(x, y, false, &quotient);
}

NUMBER OVERLOAD remainder(NUMBER x, NUMBER y) {
  uint quotient;
  return divide(x, y, true, &quotient);
}

ELEMENTS_2(NUMBER, fmod, NUMBER, NUMBER)
ELEMENTS_2(NUMBER, remainder, NUMBER, NUMBER)

// Seven bits of the quotient, with its sign.
static NUMBER remainder_quotient(NUMBER x, NUMBER y, int *quotient) {
  uint count;
  NUMBER result = divide(x, y, true, &count);
  int low = (int)(count & 0x7F);
  *quotient = (AS_SIGNED(x) ^ AS_SIGNED(y)) < 0 ? -low : low;
  return result;
}

#define REMQUO_N(n, T, space)                                    \
  T##n OVERLOAD remquo(T##n x, T##n y, space int##n *quotient) { \
    T##n result;                                                 \
    int##n quotients;                                            \
    for (int i = 0; i < n; i++) {                                \
      int one;                                                   \
      result[i] = remainder_quotient(x[i], y[i], &one);          \
      quotients[i] = one;                                        \
    }                                                            \
    *quotient = quotients;                                       \
    return result;                                               \
  }
#define REMQUO(T, space)                             \
  T OVERLOAD remquo(T x, T y, space int *quotient) { \
    int one;                                         \
    T result = remainder_quotient(x, y, &one);       \
    *quotient = one;                                 \
    return result;                                   \
  }                                                  \
  FOR_WIDTHS(REMQUO_N, T, space)
REMQUO(NUMBER, global)
REMQUO(NUMBER, local)
REMQUO(NUMBER, private)
REMQUO(NUMBER, generic)

int OVERLOAD ilogb(NUMBER x) {
  WORD magnitude = MAGNITUDE(x);
  if (magnitude >= INFINITY_BITS)
    return magnitude == INFINITY_BITS ? INT_MAX : FP_ILOGBNAN;
  return magnitude == 0 ? FP_ILOGB0 : take_apart(magnitude).exponent + FRACTION_BITS;
}

NUMBER OVERLOAD logb(NUMBER x) {
  WORD magnitude = MAGNITUDE(x);
  if (magnitude >= INFINITY_BITS)
    return magnitude == INFINITY_BITS ? AS_NUMBER(magnitude) : QUIET_NAN;
  return magnitude == 0 ? -INFINITY : (NUMBER)(take_apart(magnitude).exponent + FRACTION_BITS);
}

ELEMENTS_1(int, ilogb, NUMBER)
ELEMENTS_1(NUMBER, logb, NUMBER)

#endif
