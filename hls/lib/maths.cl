// SPDX-License-Identifier: Apache-2.0
// Maths functions of float (OpenCL C 3.0, section 6.15.2). The larger ones come from libclc, which calls these; the build
// links both into one library and lets these win.
#include "hls/lib/float_type.h"
#include "hls/lib/number_maths.h"

// Whichever is cheaper: two roundings, or one.
float OVERLOAD mad(float a, float b, float c) {
#pragma STDC FP_CONTRACT ON
  return a * b + c;
}

float OVERLOAD maxmag(float x, float y) {
  float a = fabs(x), b = fabs(y);
  return a > b ? x : b > a ? y : fmax(x, y);
}

float OVERLOAD minmag(float x, float y) {
  float a = fabs(x), b = fabs(y);
  return a < b ? x : b < a ? y : fmin(x, y);
}

ELEMENTS_3(float, mad, float, float, float)
ELEMENTS_2(float, maxmag, float, float)
ELEMENTS_2(float, minmag, float, float)

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
