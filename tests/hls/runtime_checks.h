// SPDX-License-Identifier: Apache-2.0
// Checks of the run-time library's functions, compiled for the host, against HOST(name), the host's own. Of the type
// whose bits (hls/lib/runtime/float_bits.h or double_bits.h) were included before.
#ifndef HEDDLE_TESTS_HLS_RUNTIME_CHECKS_H
#define HEDDLE_TESTS_HLS_RUNTIME_CHECKS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>

#include "tests/hls/random.h"

static int rounds(void) {
  return is_long_test() ? 50000000 : 1000000;
}

// Bit for bit, but that NaNs are one another's equal.
static bool is_same(number a, number b) {
  return (isnan(a) && isnan(b)) || bits_of(a) == bits_of(b);
}

static void expect_fma(number a, number b, number c) {
  number got = MATHS(fma)(a, b, c), expected = HOST(fma)(a, b, c);
  cr_assert(is_same(got, expected), "fma(%a, %a, %a): %a expected, got %a", a, b, c, expected, got);
}

static void expect_of_one(const char *name, number x, number got, number expected) {
  cr_assert(is_same(got, expected), "%s(%a): %a expected, got %a", name, x, expected, got);
}

static void expect_sqrt(number x) {
  expect_of_one("sqrt", x, MATHS(sqrt)(x), HOST(sqrt)(x));
}

static void expect_whole_numbers(number x) {
  expect_of_one("floor", x, MATHS(floor)(x), HOST(floor)(x));
  expect_of_one("ceil", x, MATHS(ceil)(x), HOST(ceil)(x));
  expect_of_one("trunc", x, MATHS(trunc)(x), HOST(trunc)(x));
  expect_of_one("round", x, MATHS(round)(x), HOST(round)(x));
  expect_of_one("rint", x, MATHS(rint)(x), HOST(rint)(x));
}

static void expect_ldexp(number x, int n) {
  number got = MATHS(ldexp)(x, n), expected = HOST(ldexp)(x, n);
  cr_assert(is_same(got, expected), "ldexp(%a, %d): %a expected, got %a", x, n, expected, got);
}

static void expect_minimum_and_maximum(number a, number b) {
  number least = isnan(a) ? b : isnan(b) || a < b ? a : b, most = isnan(a) ? b : isnan(b) || a > b ? a : b;
  if (a == 0 && b == 0) {
    least = number_of(bits_of(a) | bits_of(b));
    most = number_of(bits_of(a) & bits_of(b));
  }
  number got_least = MATHS(fmin)(a, b), got_most = MATHS(fmax)(a, b);
  cr_assert(is_same(got_least, least), "fmin(%a, %a): %a expected, got %a", a, b, least, got_least);
  cr_assert(is_same(got_most, most), "fmax(%a, %a): %a expected, got %a", a, b, most, got_most);
}

#endif
