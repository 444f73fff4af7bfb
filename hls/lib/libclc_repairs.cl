// SPDX-License-Identifier: Apache-2.0
// Functions of libclc that do not meet OpenCL C 3.0 (sections 7.4, 7.5) and are replaced: they win when the library is
// linked. Each comment says what was wrong.
#include "hls/lib/device.h"
#include "hls/lib/vectors.h"

// libclc believes there are no subnormals, and then flushes them in exp, exp2, ldexp, rootn and others.
bool __clc_fp32_subnormals_supported(void) {
  return true;
}

bool __clc_fp64_subnormals_supported(void) {
  return true;
}

// e^r for |r| <= log(2) / 2: the Taylor series.
static float exp_of_rest(float r) {
  float sum = 1.0f / 5040.0f;
  sum = mad(sum, r, 1.0f / 720.0f);
  sum = mad(sum, r, 1.0f / 120.0f);
  sum = mad(sum, r, 1.0f / 24.0f);
  sum = mad(sum, r, 1.0f / 6.0f);
  sum = mad(sum, r, 0.5f);
  return 1.0f + mad(r * r, sum, r);
}

// x * 2^n for -300 < n < 260. In two steps, of which only the second can round: 2^n itself may be out of range.
static float scale(float x, int n) {
  int first = n / 2, second = n - first;
  return x * as_float((uint)(first + 127) << 23) * as_float((uint)(second + 127) << 23);
}

// libclc's gave 0 for subnormal results.
float OVERLOAD exp2(float x) {
  if (x >= 128.0f) {
    return INFINITY;
  }
  if (x < -151.0f) {
    return 0.0f;
  }
  float n = rint(x);
  return isnan(x) ? x : scale(exp_of_rest((x - n) * M_LN2_F), (int)n);
}

float OVERLOAD exp(float x) {
  if (x > 89.0f) {
    return INFINITY;
  }
  if (x < -105.0f) {
    return 0.0f;
  }
  // n times the first part of log(2) is exact: it has 15 bits, n 8.
  float n = rint(x * M_LOG2E_F);
  float r = mad(n, -0x1.62e4p-1f, x);
  r = mad(n, -0x1.7f7d1cp-20f, r);
  return isnan(x) ? x : scale(exp_of_rest(r), (int)n);
}

ELEMENTS_1(float, exp, float)
ELEMENTS_1(float, exp2, float)

struct parts {
  uint fraction;  // leading one at bit 23
  int exponent;   // of bit 0
};

static struct parts take_apart(uint magnitude) {
  struct parts parts = {magnitude & 0x7FFFFF, (int)(magnitude >> 23) - 150};
  if (magnitude < 0x00800000) {
    int zeros = (int)__builtin_clz(magnitude) - 8;
    parts.fraction <<= zeros;
    parts.exponent = 1 - 150 - zeros;
  } else {
    parts.fraction |= 0x800000;
  }
  return parts;
}

// fraction * 2^exponent, which has to be a float.
static float put_together(uint fraction, int exponent) {
  if (fraction == 0) {
    return 0.0f;
  }
  int zeros = (int)__builtin_clz(fraction) - 8;  // -1 for 25 bits, of which the last is then 0
  int biased = exponent - zeros + 150;
  if (biased > 0) {
    fraction = zeros >= 0 ? fraction << zeros : fraction >> -zeros;
    return as_float(((uint)biased << 23) | (fraction & 0x7FFFFF));
  }
  int shift = exponent + 149;
  return as_float(shift >= 0 ? fraction << shift : fraction >> -shift);
}

// x * 2^n by at most three multiplications, of which only the last can round: one on the way to a subnormal result stops
// where all bits of x are still there.
static float scale_by_multiplying(float x, int n) {
  for (int i = 0; i < 2 && n > 127; i++) {
    x *= 0x1p127f;
    n -= 127;
  }
  for (int i = 0; i < 2 && n < -126; i++) {
    x *= 0x1p-102f;
    n += 102;
  }
  n = min(max(n, -126), 127);
  return x * as_float((uint)(n + 127) << 23);
}

// libclc's cut subnormal arguments off.
float OVERLOAD ldexp(float x, int n) {
  return __heddle_has_float_unit ? scale_by_multiplying(x, n) : __builtin_ldexpf(x, n);
}

ELEMENTS_2(float, ldexp, float, int)
#define LDEXP_N(n, unused)                              \
  float##n OVERLOAD ldexp(float##n x, int e) {          \
    return ldexp(x, (int##n)(e));                       \
  }
FOR_WIDTHS(LDEXP_N, )

// The exponent of a number; libclc's counted subnormals one binade too low.
int OVERLOAD ilogb(float x) {
  uint magnitude = as_uint(x) & 0x7FFFFFFF;
  if (magnitude >= 0x7F800000) {
    return magnitude == 0x7F800000 ? INT_MAX : FP_ILOGBNAN;
  }
  return magnitude == 0 ? FP_ILOGB0 : take_apart(magnitude).exponent + 23;
}

float OVERLOAD logb(float x) {
  uint magnitude = as_uint(x) & 0x7FFFFFFF;
  if (magnitude >= 0x7F800000) {
    return x * x;
  }
  return magnitude == 0 ? -INFINITY : (float)(take_apart(magnitude).exponent + 23);
}

ELEMENTS_1(int, ilogb, float)
ELEMENTS_1(float, logb, float)

// x - n * y, exactly: n the quotient cut off, or rounded to nearest even; *quotient its low bits, without sign. libclc's
// versions gave zeros the wrong sign and lost subnormals.
static __attribute__((noinline)) float divide(float x, float y, bool to_nearest, uint *quotient) {
  uint a = as_uint(x) & 0x7FFFFFFF, b = as_uint(y) & 0x7FFFFFFF;
  *quotient = 0;
  if (a >= 0x7F800000 || b > 0x7F800000 || b == 0) {
    return as_float(0x7FC00000);
  }
  if (b == 0x7F800000 || a == 0) {
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
  uint rest = dividend.fraction, count = 0;
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
  bool is_negative = as_int(x) < 0;
  if (to_nearest && (rest * 2 > divisor.fraction || (rest * 2 == divisor.fraction && (count & 1) != 0))) {
    rest = divisor.fraction - rest;
    count++;
    is_negative = !is_negative;
  }
  *quotient = count;
  if (rest == 0) {
    return copysign(0.0f, x);
  }
  float result = put_together(rest, exponent);
  return is_negative ? -result : result;
}

float OVERLOAD fmod(float x, float y) {
  uint quotient;
  return divide(x, y, false, &quotient);
}

float OVERLOAD remainder(float x, float y) {
  uint quotient;
  return divide(x, y, true, &quotient);
}

// Seven bits of the quotient, with its sign.
static float remainder_quotient(float x, float y, int *quotient) {
  uint count;
  float result = divide(x, y, true, &count);
  int low = (int)(count & 0x7F);
  *quotient = (as_int(x) ^ as_int(y)) < 0 ? -low : low;
  return result;
}

ELEMENTS_2(float, fmod, float, float)
ELEMENTS_2S(float, fmod, float, float)
ELEMENTS_2(float, remainder, float, float)

#define REMQUO_N(n, space)                                                       \
  float##n OVERLOAD remquo(float##n x, float##n y, space int##n *quotient) {     \
    float##n result;                                                             \
    int##n quotients;                                                            \
    for (int i = 0; i < n; i++) {                                                \
      int one;                                                                   \
      result[i] = remainder_quotient(x[i], y[i], &one);                          \
      quotients[i] = one;                                                        \
    }                                                                            \
    *quotient = quotients;                                                       \
    return result;                                                               \
  }
#define REMQUO(space)                                                   \
  float OVERLOAD remquo(float x, float y, space int *quotient) {        \
    int one;                                                            \
    float result = remainder_quotient(x, y, &one);                      \
    *quotient = one;                                                    \
    return result;                                                      \
  }                                                                     \
  FOR_WIDTHS(REMQUO_N, space)
REMQUO(global)
REMQUO(local)
REMQUO(private)
REMQUO(generic)

// Multiples of pi: libclc's gave zeros the wrong sign. |x| is reduced, exactly, to a quarter turn about `quarters`.
static float reduce_half_turns(float magnitude, int *quarters) {
  magnitude = magnitude >= 0x1p24f ? 0.0f : magnitude;  // even from there on
  float doubled = rint(magnitude * 2.0f);
  *quarters = (int)doubled;
  return (magnitude - doubled * 0.5f) * M_PI_F;
}

float OVERLOAD sinpi(float x) {
  if (!isfinite(x)) {
    return as_float(0x7FC00000);
  }
  int quarters;
  float rest = reduce_half_turns(fabs(x), &quarters);
  float result = (quarters & 1) != 0 ? cos(rest) : sin(rest);
  result = (quarters & 2) != 0 ? -result : result;
  return result == 0.0f ? copysign(0.0f, x) : x < 0.0f ? -result : result;
}

float OVERLOAD cospi(float x) {
  if (!isfinite(x)) {
    return as_float(0x7FC00000);
  }
  int quarters;
  float rest = reduce_half_turns(fabs(x), &quarters);
  float result = (quarters & 1) != 0 ? sin(rest) : cos(rest);
  result = ((quarters + 1) & 2) != 0 ? -result : result;
  return result == 0.0f ? 0.0f : result;
}

// At half turns: zero with the sign that alternates, from x's own; between them infinity likewise.
float OVERLOAD tanpi(float x) {
  if (!isfinite(x)) {
    return as_float(0x7FC00000);
  }
  int quarters;
  float rest = reduce_half_turns(fabs(x), &quarters);
  float result;
  if (rest == 0.0f) {
    result = (quarters & 1) != 0 ? INFINITY : 0.0f;
    result = (quarters & 2) != 0 ? -result : result;
  } else {
    result = (quarters & 1) != 0 ? -1.0f / tan(rest) : tan(rest);
  }
  return as_int(x) < 0 ? -result : result;
}

ELEMENTS_1(float, sinpi, float)
ELEMENTS_1(float, cospi, float)
ELEMENTS_1(float, tanpi, float)

// libclc's made +0 of -0.
static float fraction(float x, private float *whole) {
  *whole = floor(x);
  return isinf(x) ? copysign(0.0f, x) : x == 0.0f || isnan(x) ? x + x : fmin(x - *whole, 0x1.fffffep-1f);
}
SECOND_RESULT(float, fract, fraction, global)
SECOND_RESULT(float, fract, fraction, local)
SECOND_RESULT(float, fract, fraction, private)
