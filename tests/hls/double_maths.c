// SPDX-License-Identifier: Apache-2.0
// Maths functions of double, run on the golden model, against the host's in long double.
#include <criterion/criterion.h>
#include <math.h>

typedef double number;
typedef long double real;
#define REAL(name) name##l
enum { DIGITS = 53, EXPONENT_MAX = 1024 };

#include "tests/hls/doubles.h"
#include "tests/hls/maths_checks.h"

ONE(length, sqrtl(x *x + 9))

static const struct function of_double[] = {
    {"sqrt(x)", ref_sqrt, 0.5003},  // correctly rounded, but for the reference's own error
    {"length((double2)(x, 3.0))", ref_length, 7.5},
    {"sincos(x, &(double){0})", ref_sin, 4},
    {"({ double c; sincos(x, &c); c; })", ref_cos, 4},
};
enum { OF_DOUBLE = sizeof of_double / sizeof *of_double };

Test(double_maths, errors_are_within_the_full_profile, .timeout = 3000) {
  uint32_t points = double_points(4096);
  double_fill(points);
  expect_small_errors(&double_operands, functions, FUNCTIONS, points);
  expect_small_errors(&double_operands, of_double, OF_DOUBLE, points);
}
