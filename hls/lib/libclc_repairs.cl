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

// libclc's gave -INF at -INF, where it is +INF (C11, F.10.5.3), and INFINITY from -2^-70 to -2^-64, where a product overflows;
// so near 0 the rest of the series is nothing. libclc's other forms of lgamma and lgamma_r call this.
float __libclc_8lgamma_r(float x, private int *sign);
float OVERLOAD lgamma_r(float x, private int *sign) {
  if (x != 0.0f && fabs(x) < 0x1p-30f) {
    *sign = x < 0.0f ? -1 : 1;
    return -log(fabs(x));
  }
  return __libclc_8lgamma_r(isinf(x) ? INFINITY : x, sign);
}
