// SPDX-License-Identifier: Apache-2.0
// fmod, remainder and remquo of double, and what of a number's exponent is exact: ilogb, logb. By integers, bit by bit
// (libclc_repairs.cl has them for float, and says why libclc's will not do).
#include "hls/lib/vectors.h"

#define INFINITY_BITS 0x7FF0000000000000
#define QUIET_NAN as_double(0x7FF8000000000000)

struct parts {
  ulong fraction;  // leading one at bit 52
  int exponent;    // of bit 0
};

// Of a finite number other than 0.
static struct parts take_apart(ulong magnitude) {
  struct parts parts = {magnitude & 0x000FFFFFFFFFFFFF, (int)(magnitude >> 52) - 1075};
  if (magnitude < 0x0010000000000000) {
    int zeros = (int)__builtin_clzl(magnitude) - 11;
    parts.fraction <<= zeros;
    parts.exponent = 1 - 1075 - zeros;
  } else {
    parts.fraction |= 0x0010000000000000;
  }
  return parts;
}

// fraction * 2^exponent, which has to be a double and not 0.
static double put_together(ulong fraction, int exponent) {
  int zeros = (int)__builtin_clzl(fraction) - 11;  // -1 for 54 bits, of which the last is then 0
  int biased = exponent - zeros + 1075;
  if (biased > 0) {
    fraction = zeros >= 0 ? fraction << zeros : fraction >> -zeros;
    return as_double(((ulong)biased << 52) | (fraction & 0x000FFFFFFFFFFFFF));
  }
  int shift = exponent + 1074;
  return as_double(shift >= 0 ? fraction << shift : fraction >> -shift);
}

// x - n * y, exactly: n the quotient cut off, or rounded to nearest even; *quotient its low bits, without sign.
static __attribute__((noinline)) double divide(double x, double y, bool to_nearest, uint *quotient) {
  ulong a = as_ulong(x) & LONG_MAX, b = as_ulong(y) & LONG_MAX;
  *quotient = 0;
  if (a >= INFINITY_BITS || b > INFINITY_BITS || b == 0) {
    return QUIET_NAN;
  }
  if (b == INFINITY_BITS || a == 0) {
    return x;
  }
  struct parts dividend = take_apart(a), divisor = take_apart(b);
  int steps = dividend.exponent - divisor.exponent;
  int exponent = divisor.exponent;
  if (steps < -1) {
    return x;  // less than half the divisor
  }
  if (steps == -1) {
    divisor.fraction <<= 1;
    exponent--;
    steps = 0;
  }
  ulong rest = dividend.fraction;
  uint count = 0;
  for (;; steps--) {
    count <<= 1;
    if (rest >= divisor.fraction) {
      rest -= divisor.fraction;
      count |= 1;
    }
    if (steps == 0) {
      break;
    }
    rest <<= 1;
  }
  bool is_negative = as_long(x) < 0;
  if (to_nearest && (rest * 2 > divisor.fraction || (rest * 2 == divisor.fraction && (count & 1) != 0))) {
    rest = divisor.fraction - rest;
    count++;
    is_negative = !is_negative;
  }
  *quotient = count;
  if (rest == 0) {
    return as_double(as_long(x) & LONG_MIN);
  }
  double result = put_together(rest, exponent);
  return is_negative ? -result : result;
}

double OVERLOAD fmod(double x, double y) {
  uint quotient;
  return divide(x, y, false, &quotient);
}

double OVERLOAD remainder(double x, double y) {
  uint quotient;
  return divide(x, y, true, &quotient);
}

ELEMENTS_2(double, fmod, double, double)
ELEMENTS_2(double, remainder, double, double)

// Seven bits of the quotient, with its sign.
static double remainder_quotient(double x, double y, int *quotient) {
  uint count;
  double result = divide(x, y, true, &count);
  int low = (int)(count & 0x7F);
  *quotient = (as_long(x) ^ as_long(y)) < 0 ? -low : low;
  return result;
}

#define REMQUO_N(n, space)                                                         \
  double##n OVERLOAD remquo(double##n x, double##n y, space int##n *quotient) {    \
    double##n result;                                                              \
    int##n quotients;                                                              \
    for (int i = 0; i < n; i++) {                                                  \
      int one;                                                                     \
      result[i] = remainder_quotient(x[i], y[i], &one);                            \
      quotients[i] = one;                                                          \
    }                                                                              \
    *quotient = quotients;                                                         \
    return result;                                                                 \
  }
#define REMQUO(space)                                                   \
  double OVERLOAD remquo(double x, double y, space int *quotient) {     \
    int one;                                                            \
    double result = remainder_quotient(x, y, &one);                     \
    *quotient = one;                                                    \
    return result;                                                      \
  }                                                                     \
  FOR_WIDTHS(REMQUO_N, space)
REMQUO(global)
REMQUO(local)
REMQUO(private)
REMQUO(generic)

int OVERLOAD ilogb(double x) {
  ulong magnitude = as_ulong(x) & LONG_MAX;
  if (magnitude >= INFINITY_BITS) {
    return magnitude == INFINITY_BITS ? INT_MAX : FP_ILOGBNAN;
  }
  return magnitude == 0 ? FP_ILOGB0 : take_apart(magnitude).exponent + 52;
}

double OVERLOAD logb(double x) {
  ulong magnitude = as_ulong(x) & LONG_MAX;
  if (magnitude >= INFINITY_BITS) {
    return magnitude == INFINITY_BITS ? as_double(magnitude) : QUIET_NAN;
  }
  return magnitude == 0 ? -INFINITY : (double)(take_apart(magnitude).exponent + 52);
}

ELEMENTS_1(int, ilogb, double)
ELEMENTS_1(double, logb, double)
