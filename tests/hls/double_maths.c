// SPDX-License-Identifier: Apache-2.0
// Maths functions of double, run on the golden model, against the host's in long double.
#include <criterion/criterion.h>
#include <math.h>

typedef double number;
typedef long double real;
#define REAL(name) name##l
#define NUMBER(name) name
enum { DIGITS = 53, EXPONENT_MAX = 1024 };

#include "tests/hls/doubles.h"
#include "tests/hls/maths_checks.h"

Test(double_maths, errors_are_within_the_full_profile, .timeout = 3000) {
  expect_small_errors(&double_operands, double_points(4096));
}
