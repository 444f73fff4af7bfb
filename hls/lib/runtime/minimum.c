// SPDX-License-Identifier: Apache-2.0
// fminf and fmaxf: a number wins over a NaN, and -0 is less than +0. Also under the names of IEEE 754-2019, which code
// generation uses for them too.
#include "hls/lib/runtime/float_bits.h"

float RUNTIME(fminf)(float a, float b);
float RUNTIME(fmaxf)(float a, float b);
float RUNTIME(fminimum_numf)(float a, float b);
float RUNTIME(fmaximum_numf)(float a, float b);

static inline int is_nan(uint32_t bits) {
  return (bits & ~SIGN_BIT) > INFINITY_BITS;
}

// Bits of floats as integers in the same order.
static inline int32_t order(uint32_t bits) {
  return (bits & SIGN_BIT) != 0 ? (int32_t)(bits ^ 0x7FFFFFFFu) : (int32_t)bits;
}

static float choose(float a, float b, int want_less) {
  uint32_t x = bits_of(a), y = bits_of(b);
  if (is_nan(x)) {
    return is_nan(y) ? a + b : b;
  }
  if (is_nan(y)) {
    return a;
  }
  return (order(x) < order(y)) == want_less ? a : b;
}

float RUNTIME(fminf)(float a, float b) {
  return choose(a, b, 1);
}

float RUNTIME(fmaxf)(float a, float b) {
  return choose(a, b, 0);
}

float RUNTIME(fminimum_numf)(float a, float b) {
  return choose(a, b, 1);
}

float RUNTIME(fmaximum_numf)(float a, float b) {
  return choose(a, b, 0);
}
