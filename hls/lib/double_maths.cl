// SPDX-License-Identifier: Apache-2.0
// Maths and common functions of double (OpenCL C 3.0, sections 6.15.2 and 6.15.4). The larger ones come from libclc,
// which calls these.
#include "hls/lib/double_type.h"
#include "hls/lib/number_maths.h"

// Two roundings: in software that is cheaper than one.
double OVERLOAD mad(double a, double b, double c) {
#pragma STDC FP_CONTRACT OFF
  return a * b + c;
}

// Magnitudes are compared by their bits; NaNs are fmax's and fmin's.
double OVERLOAD maxmag(double x, double y) {
  ulong a = MAGNITUDE(x), b = MAGNITUDE(y);
  bool is_nan = (a > b ? a : b) > INFINITY_BITS;
  return !is_nan && a > b ? x : !is_nan && b > a ? y : fmax(x, y);
}

double OVERLOAD minmag(double x, double y) {
  ulong a = MAGNITUDE(x), b = MAGNITUDE(y);
  bool is_nan = (a > b ? a : b) > INFINITY_BITS;
  return !is_nan && a < b ? x : !is_nan && b < a ? y : fmin(x, y);
}

double OVERLOAD ldexp(double x, int n) {
  return __builtin_ldexp(x, n);
}

ELEMENTS_3(double, mad, double, double, double)
ELEMENTS_2(double, maxmag, double, double)
ELEMENTS_2(double, minmag, double, double)
ELEMENTS_2(double, ldexp, double, int)
ELEMENTS_2S(double, ldexp, double, int)

// What libclc has for float only. clang declares a built-in function by itself only where no other of its name is
// declared.
#define SMOOTHSTEP_N(n, unused)                                              \
  double##n OVERLOAD smoothstep(double##n low, double##n high, double##n x); \
  double##n OVERLOAD smoothstep(double low, double high, double##n x) {      \
    return smoothstep((double##n)low, (double##n)high, x);                   \
  }
FOR_WIDTHS(SMOOTHSTEP_N, )
