// SPDX-License-Identifier: Apache-2.0
// The run-time library's functions of double, compiled for the host and compared bit for bit with the host's own.
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RUNTIME(name) runtime_##name
// The code under test, compiled again for this machine.
// NOLINTBEGIN(bugprone-suspicious-include)
#include "hls/lib/runtime/double_fma.c"
#include "hls/lib/runtime/double_minimum.c"
#include "hls/lib/runtime/double_rounding.c"
#include "hls/lib/runtime/double_scale.c"
#include "hls/lib/runtime/double_sqrt.c"
#include "hls/lib/runtime/double_to_half.c"
// NOLINTEND(bugprone-suspicious-include)

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  uint64_t word = 0;
  for (int i = 0; i < 2; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    word = word << 32 | (uint32_t)(state >> 16);
  }
  return word;
}

// A sixteenth of the bits set.
static uint64_t few_bits(void) {
  uint64_t word = next();
  for (int i = 0; i < 3; i++) {
    word &= next();
  }
  return word;
}

static const uint64_t special[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF,
    0x0010000000000000, 0x3FE0000000000000, 0xBFE0000000000000, 0x3FDFFFFFFFFFFFFF, 0x3FE0000000000001,
    0x3FF0000000000000, 0xBFF0000000000000, 0x3FF8000000000000, 0x4004000000000000, 0x4330000000000000,
    0x432FFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000,
    0x7FF8000000000000, 0x7FF0000000000001, 0x3CA0000000000000, 0x7FE0000000000000, 0x0350000000000000};
enum { SPECIALS = sizeof special / sizeof *special };

// Special numbers, all bits random, few bits set, or of exponents close to each other so that cancellation happens.
static double random_double(void) {
  switch (next() % 5) {
    case 0:
      return double_of(special[next() % SPECIALS] + (next() % 3 == 0 ? next() % 2 : 0));
    case 1:
      return double_of(next());
    case 2:
      return double_of((next() & 0x8000000000000000) | (1016 + next() % 16) << 52 | few_bits() >> 12);
    default:
      return double_of((next() & 0x800FFFFFFFFFFFFF) | (1016 + next() % 16) << 52);
  }
}

static int rounds(void) {
  return getenv("HEDDLE_TEST_LONG") != NULL ? 50000000 : 1000000;
}

static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || bits_of_double(a) == bits_of_double(b);
}

static void expect_fma(double a, double b, double c) {
  double got = runtime_fma(a, b, c), expected = fma(a, b, c);
  cr_assert(same(got, expected), "fma(%a, %a, %a): %a expected, got %a", a, b, c, expected, got);
}

Test(runtime_double, fma_rounds_once) {
  for (int i = 0; i < rounds(); i++) {
    expect_fma(random_double(), random_double(), random_double());
  }
}

// What rounding made of the product, or that and a little: almost all of the product goes.
Test(runtime_double, fma_cancels_exactly) {
  for (int i = 0; i < rounds(); i++) {
    double a = random_double(), b = random_double(), product = -a * b;
    expect_fma(a, b, product);
    expect_fma(a, b, double_of(bits_of_double(product) + next() % 8 - 4));
    expect_fma(a, b, product * ldexp(1 + (double)(next() % 64) * 0x1p-40, (int)(next() % 5) - 2));
  }
}

// The product is halfway between two doubles or nearly so, and the addend, however small, decides.
Test(runtime_double, fma_is_decided_by_the_smallest_addend) {
  for (int i = 0; i < rounds(); i++) {
    double a = 1 + ldexp((double)(next() % 1024), -(int)(next() % 43) - 10);
    double b = 1 + ldexp((double)(next() % 1024), -(int)(next() % 43) - 10);
    double c = ldexp(next() % 2 ? 1 : -1, -(int)(next() % 200)), scale = ldexp(1, (int)(next() % 2100) - 1080);
    expect_fma(a, b, c);
    expect_fma(a * scale, b, c * scale);
    expect_fma(a, b * scale, next() % 2 ? 0x1p-1074 : -0x1p-1074);
  }
}

Test(runtime_double, sqrt_is_correctly_rounded) {
  for (int i = 0; i < rounds() / 2; i++) {
    double x = random_double();
    cr_assert(same(runtime_sqrt(x), sqrt(x)), "sqrt(%a): %a expected, got %a", x, sqrt(x), runtime_sqrt(x));
    x *= x;  // next to exact roots
    cr_assert(same(runtime_sqrt(x), sqrt(x)), "sqrt(%a): %a expected, got %a", x, sqrt(x), runtime_sqrt(x));
  }
}

Test(runtime_double, rounding_to_whole_numbers_is_exact) {
  for (int i = 0; i < rounds(); i++) {
    double x = random_double();
    if (next() % 2 == 0) {
      x = ldexp((double)(int64_t)next(), -(int)(next() % 70));
    }
    if (next() % 4 == 0) {
      x = floor(x) + 0.5;
    }
    cr_assert(same(runtime_floor(x), floor(x)), "floor(%a): got %a", x, runtime_floor(x));
    cr_assert(same(runtime_ceil(x), ceil(x)), "ceil(%a): got %a", x, runtime_ceil(x));
    cr_assert(same(runtime_trunc(x), trunc(x)), "trunc(%a): got %a", x, runtime_trunc(x));
    cr_assert(same(runtime_round(x), round(x)), "round(%a): got %a", x, runtime_round(x));
    cr_assert(same(runtime_rint(x), rint(x)), "rint(%a): got %a", x, runtime_rint(x));
  }
}

Test(runtime_double, ldexp_rounds_once_and_reaches_subnormals) {
  for (int i = 0; i < rounds(); i++) {
    double x = random_double();
    int n = next() % 2 == 0 ? (int)(next() % 4400) - 2200 : (int)next();
    cr_assert(same(runtime_ldexp(x, n), ldexp(x, n)), "ldexp(%a, %d): got %a", x, n, runtime_ldexp(x, n));
  }
}

Test(runtime_double, minimum_and_maximum_prefer_numbers_to_nan) {
  for (int i = 0; i < rounds(); i++) {
    double a = random_double(), b = random_double();
    if (a == 0 && b == 0) {
      cr_assert_eq(bits_of_double(runtime_fmin(a, b)), bits_of_double(a) | bits_of_double(b));
      cr_assert_eq(bits_of_double(runtime_fmax(a, b)), bits_of_double(a) & bits_of_double(b));
      continue;
    }
    double least = isnan(a) ? b : isnan(b) || a < b ? a : b, most = isnan(a) ? b : isnan(b) || a > b ? a : b;
    cr_assert(same(runtime_fmin(a, b), least), "fmin(%a, %a): got %a", a, b, runtime_fmin(a, b));
    cr_assert(same(runtime_fmax(a, b), most), "fmax(%a, %a): got %a", a, b, runtime_fmax(a, b));
  }
}

// The halves on both sides of x are compared with x, which is exact.
static uint32_t nearest_half(double x) {
  uint32_t sign = signbit(x) ? 0x8000 : 0, below = 0;
  double magnitude = fabs(x);
  if (isnan(x)) {
    return 0x7E00;
  }
#define HALF_VALUE(bits) ((bits) < 0x400 ? ldexp((bits), -24) : ldexp((bits) % 1024 + 1024, (int)((bits) / 1024) - 25))
  for (uint32_t bit = 0x4000; bit != 0; bit >>= 1) {
    if (below + bit < 0x7C00 && HALF_VALUE(below + bit) <= magnitude) {
      below += bit;
    }
  }
  double middle = (HALF_VALUE(below) + HALF_VALUE(below + 1)) / 2;
  return sign | (below + (magnitude > middle || (magnitude == middle && below % 2 != 0)));
}

Test(runtime_double, doubles_become_the_nearest_half) {
  for (int i = 0; i < rounds(); i++) {
    uint32_t bits = (uint32_t)next() % 0x7C00;
    double x = random_double();
    if (next() % 2 == 0) {  // at a half or halfway to the next, or a last bit beside that
      x = next() % 2 ? HALF_VALUE(bits) : (HALF_VALUE(bits) + HALF_VALUE(bits + 1)) / 2;
      x = double_of(bits_of_double(x) + (x > 0 ? next() % 3 - 1 : 0));
    }
    cr_assert_eq(runtime___truncdfhf2(x), nearest_half(x), "%a: half %04x expected, got %04x", x, nearest_half(x),
                 runtime___truncdfhf2(x));
  }
}
