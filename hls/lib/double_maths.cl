// SPDX-License-Identifier: Apache-2.0
// Maths and common functions of double (OpenCL C 3.0, sections 6.15.2 and 6.15.4) that code generation knows, or that are
// a few operations on bits. The larger ones come from libclc, which calls these (maths.cl has them for float).
#include "hls/lib/vectors.h"

#define QUIET_NAN as_double(0x7FF8000000000000)

double OVERLOAD sqrt(double x) {
  return __builtin_sqrt(x);
}

double OVERLOAD fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

// Two roundings: in software that is cheaper than one.
double OVERLOAD mad(double a, double b, double c) {
#pragma STDC FP_CONTRACT OFF
  return a * b + c;
}

double OVERLOAD fabs(double x) {
  return __builtin_fabs(x);
}

double OVERLOAD copysign(double x, double y) {
  return __builtin_copysign(x, y);
}

double OVERLOAD fmin(double a, double b) {
  return __builtin_fmin(a, b);
}

double OVERLOAD fmax(double a, double b) {
  return __builtin_fmax(a, b);
}

double OVERLOAD floor(double x) {
  return __builtin_floor(x);
}

double OVERLOAD ceil(double x) {
  return __builtin_ceil(x);
}

double OVERLOAD trunc(double x) {
  return __builtin_trunc(x);
}

double OVERLOAD rint(double x) {
  return __builtin_rint(x);
}

double OVERLOAD round(double x) {
  return __builtin_round(x);
}

double OVERLOAD rsqrt(double x) {
  return 1.0 / sqrt(x);
}

double OVERLOAD nan(ulong payload) {
  return as_double(0x7FF8000000000000 | (payload & 0x0007FFFFFFFFFFFF));
}

double OVERLOAD fdim(double x, double y) {
  return isunordered(x, y) ? QUIET_NAN : x > y ? x - y : 0.0;
}

// Magnitudes are compared by their bits; NaNs are fmax's and fmin's.
double OVERLOAD maxmag(double x, double y) {
  ulong a = as_ulong(x) & LONG_MAX, b = as_ulong(y) & LONG_MAX;
  bool is_nan = max(a, b) > 0x7FF0000000000000;
  return !is_nan && a > b ? x : !is_nan && b > a ? y : fmax(x, y);
}

double OVERLOAD minmag(double x, double y) {
  ulong a = as_ulong(x) & LONG_MAX, b = as_ulong(y) & LONG_MAX;
  bool is_nan = max(a, b) > 0x7FF0000000000000;
  return !is_nan && a < b ? x : !is_nan && b < a ? y : fmin(x, y);
}

// Bits of doubles count up away from zero.
double OVERLOAD nextafter(double x, double y) {
  if (isunordered(x, y)) {
    return QUIET_NAN;
  }
  if (x == y) {
    return y;
  }
  long bits = as_long(x);
  if ((bits & LONG_MAX) == 0) {
    return as_double((as_long(y) & LONG_MIN) | 1);
  }
  return as_double((x < y) == (bits > 0) ? bits + 1 : bits - 1);
}

double OVERLOAD ldexp(double x, int n) {
  return __builtin_ldexp(x, n);
}

double OVERLOAD min(double a, double b) {
  return fmin(a, b);
}

double OVERLOAD max(double a, double b) {
  return fmax(a, b);
}

double OVERLOAD clamp(double x, double low, double high) {
  return min(max(x, low), high);
}

ELEMENTS_1(double, sqrt, double)
ELEMENTS_3(double, fma, double, double, double)
ELEMENTS_3(double, mad, double, double, double)
ELEMENTS_1(double, fabs, double)
ELEMENTS_2(double, copysign, double, double)
ELEMENTS_2(double, fmin, double, double)
ELEMENTS_2S(double, fmin, double, double)
ELEMENTS_2(double, fmax, double, double)
ELEMENTS_2S(double, fmax, double, double)
ELEMENTS_1(double, floor, double)
ELEMENTS_1(double, ceil, double)
ELEMENTS_1(double, trunc, double)
ELEMENTS_1(double, rint, double)
ELEMENTS_1(double, round, double)
ELEMENTS_1(double, rsqrt, double)
ELEMENTS_1(double, nan, ulong)
ELEMENTS_2(double, fdim, double, double)
ELEMENTS_2(double, maxmag, double, double)
ELEMENTS_2(double, minmag, double, double)
ELEMENTS_2(double, nextafter, double, double)
ELEMENTS_2(double, ldexp, double, int)
ELEMENTS_2S(double, ldexp, double, int)
ELEMENTS_2(double, min, double, double)
ELEMENTS_2S(double, min, double, double)
ELEMENTS_2(double, max, double, double)
ELEMENTS_2S(double, max, double, double)
ELEMENTS_3(double, clamp, double, double, double)
ELEMENTS_3S(double, clamp, double, double, double)

// libclc's makes +0 of -0.
static double fraction(double x, private double *whole) {
  *whole = floor(x);
  return isinf(x) ? copysign(0.0, x) : x == 0.0 || isnan(x) ? x + x : fmin(x - *whole, 0x1.fffffffffffffp-1);
}
SECOND_RESULT(double, fract, fraction, global)
SECOND_RESULT(double, fract, fraction, local)
SECOND_RESULT(double, fract, fraction, private)
SECOND_RESULT(double, fract, fraction, generic)

// What libclc has for float only. clang declares a built-in function by itself only where no other of its name is
// declared.
#define SMOOTHSTEP_N(n, unused)                                              \
  double##n OVERLOAD smoothstep(double##n low, double##n high, double##n x); \
  double##n OVERLOAD smoothstep(double low, double high, double##n x) {      \
    return smoothstep((double##n)low, (double##n)high, x);                   \
  }
FOR_WIDTHS(SMOOTHSTEP_N, )
