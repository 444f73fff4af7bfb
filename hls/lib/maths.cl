// SPDX-License-Identifier: Apache-2.0
// Maths functions (OpenCL C 3.0, section 6.15.2) that code generation knows, or that are a few operations on bits. The
// larger ones come from libclc, which calls these; the build links both into one library and lets these win.
#include "hls/lib/vectors.h"

// One instruction where the device has floating point, else a function of the run-time library.
float OVERLOAD sqrt(float x) {
  return __builtin_sqrtf(x);
}

float OVERLOAD fma(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

// Whichever is cheaper: two roundings, or one.
float OVERLOAD mad(float a, float b, float c) {
#pragma STDC FP_CONTRACT ON
  return a * b + c;
}

float OVERLOAD fabs(float x) {
  return __builtin_fabsf(x);
}

float OVERLOAD copysign(float x, float y) {
  return __builtin_copysignf(x, y);
}

float OVERLOAD fmin(float a, float b) {
  return __builtin_fminf(a, b);
}

float OVERLOAD fmax(float a, float b) {
  return __builtin_fmaxf(a, b);
}

float OVERLOAD floor(float x) {
  return __builtin_floorf(x);
}

float OVERLOAD ceil(float x) {
  return __builtin_ceilf(x);
}

float OVERLOAD trunc(float x) {
  return __builtin_truncf(x);
}

float OVERLOAD rint(float x) {
  return __builtin_rintf(x);
}

float OVERLOAD round(float x) {
  return __builtin_roundf(x);
}

float OVERLOAD rsqrt(float x) {
  return 1.0f / sqrt(x);
}

float OVERLOAD nan(uint payload) {
  return as_float(0x7FC00000u | (payload & 0x003FFFFFu));
}

float OVERLOAD fdim(float x, float y) {
  return isunordered(x, y) ? as_float(0x7FC00000u) : x > y ? x - y : 0.0f;
}

float OVERLOAD maxmag(float x, float y) {
  float a = fabs(x), b = fabs(y);
  return a > b ? x : b > a ? y : fmax(x, y);
}

float OVERLOAD minmag(float x, float y) {
  float a = fabs(x), b = fabs(y);
  return a < b ? x : b < a ? y : fmin(x, y);
}

// Bits of floats count up away from zero.
float OVERLOAD nextafter(float x, float y) {
  if (isunordered(x, y)) {
    return as_float(0x7FC00000u);
  }
  if (x == y) {
    return y;
  }
  int bits = as_int(x);
  if ((bits & 0x7FFFFFFF) == 0) {
    return as_float((as_int(y) & (int)0x80000000) | 1);
  }
  return as_float((x < y) == (x > 0.0f) ? bits + 1 : bits - 1);
}

// Common functions that libclc leaves out: OpenCL C 3.0, section 6.15.4. They may do as they like with NaN.
float OVERLOAD min(float a, float b) {
  return fmin(a, b);
}

float OVERLOAD max(float a, float b) {
  return fmax(a, b);
}

float OVERLOAD clamp(float x, float low, float high) {
  return min(max(x, low), high);
}

ELEMENTS_1(float, sqrt, float)
ELEMENTS_3(float, fma, float, float, float)
ELEMENTS_3(float, mad, float, float, float)
ELEMENTS_1(float, fabs, float)
ELEMENTS_2(float, copysign, float, float)
ELEMENTS_2(float, fmin, float, float)
ELEMENTS_2S(float, fmin, float, float)
ELEMENTS_2(float, fmax, float, float)
ELEMENTS_2S(float, fmax, float, float)
ELEMENTS_1(float, floor, float)
ELEMENTS_1(float, ceil, float)
ELEMENTS_1(float, trunc, float)
ELEMENTS_1(float, rint, float)
ELEMENTS_1(float, round, float)
ELEMENTS_1(float, rsqrt, float)
ELEMENTS_1(float, nan, uint)
ELEMENTS_2(float, fdim, float, float)
ELEMENTS_2(float, maxmag, float, float)
ELEMENTS_2(float, minmag, float, float)
ELEMENTS_2(float, nextafter, float, float)
ELEMENTS_2(float, min, float, float)
ELEMENTS_2S(float, min, float, float)
ELEMENTS_2(float, max, float, float)
ELEMENTS_2S(float, max, float, float)
ELEMENTS_3(float, clamp, float, float, float)
ELEMENTS_3S(float, clamp, float, float, float)

// half_ functions may be less accurate and native_ functions as they like; here they are the full ones, except where
// a plain operation does.
#define ALIAS_1(prefix, name)                \
  float OVERLOAD prefix##name(float x) {     \
    return name(x);                          \
  }                                          \
  ELEMENTS_1(float, prefix##name, float)
#define FOR_ALIASES(prefix)                                                                             \
  ALIAS_1(prefix, cos) ALIAS_1(prefix, exp) ALIAS_1(prefix, exp2) ALIAS_1(prefix, exp10) ALIAS_1(prefix, log) \
  ALIAS_1(prefix, log2) ALIAS_1(prefix, log10) ALIAS_1(prefix, rsqrt) ALIAS_1(prefix, sin)              \
  ALIAS_1(prefix, sqrt) ALIAS_1(prefix, tan)                                                            \
  float OVERLOAD prefix##powr(float x, float y) {                                                       \
    return powr(x, y);                                                                                  \
  }                                                                                                     \
  ELEMENTS_2(float, prefix##powr, float, float)                                                         \
  float OVERLOAD prefix##recip(float x) {                                                               \
    return 1.0f / x;                                                                                    \
  }                                                                                                     \
  ELEMENTS_1(float, prefix##recip, float)                                                               \
  float OVERLOAD prefix##divide(float x, float y) {                                                     \
    return x / y;                                                                                       \
  }                                                                                                     \
  ELEMENTS_2(float, prefix##divide, float, float)
FOR_ALIASES(half_)
FOR_ALIASES(native_)
