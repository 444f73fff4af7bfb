// SPDX-License-Identifier: Apache-2.0
// fmin and fmax: a number wins over a NaN, and -0 is less than +0. Also under the names of IEEE 754-2019, which code
// generation uses for them too.
#include "hls/lib/runtime/double_bits.h"

double RUNTIME(fmin)(double a, double b);
double RUNTIME(fmax)(double a, double b);
double RUNTIME(fminimum_num)(double a, double b);
double RUNTIME(fmaximum_num)(double a, double b);

static inline int is_double_nan(uint64_t bits) {
  return (bits & ~DOUBLE_SIGN_BIT) > DOUBLE_INFINITY_BITS;
}

// Bits of doubles as integers in the same order.
static inline int64_t double_order(uint64_t bits) {
  return (bits & DOUBLE_SIGN_BIT) != 0 ? (int64_t)(bits ^ ~DOUBLE_SIGN_BIT) : (int64_t)bits;
}

static double choose_double(double a, double b, int want_less) {
  uint64_t x = bits_of_double(a), y = bits_of_double(b);
  if (is_double_nan(x)) {
    return is_double_nan(y) ? a + b : b;
  }
  if (is_double_nan(y)) {
    return a;
  }
  return (double_order(x) < double_order(y)) == want_less ? a : b;
}

double RUNTIME(fmin)(double a, double b) {
  return choose_double(a, b, 1);
}

double RUNTIME(fmax)(double a, double b) {
  return choose_double(a, b, 0);
}

double RUNTIME(fminimum_num)(double a, double b) {
  return choose_double(a, b, 1);
}

double RUNTIME(fmaximum_num)(double a, double b) {
  return choose_double(a, b, 0);
}
