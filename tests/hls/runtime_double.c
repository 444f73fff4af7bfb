// SPDX-License-Identifier: Apache-2.0
// The run-time library's functions of double, compiled for the host and compared bit for bit with the host's own.
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

#define RUNTIME(name) runtime_##name
#define HOST(name) name
// The code under test, compiled again for this machine.
// NOLINTBEGIN(bugprone-suspicious-include)
#include "hls/lib/runtime/double_fma.c"
#include "hls/lib/runtime/double_minimum.c"
#include "hls/lib/runtime/double_rounding.c"
#include "hls/lib/runtime/double_scale.c"
#include "hls/lib/runtime/double_sqrt.c"
#include "hls/lib/runtime/double_to_half.c"
// NOLINTEND(bugprone-suspicious-include)
#include "tests/hls/double_samples.h"
#include "tests/hls/random.h"
#include "tests/hls/runtime_checks.h"

// Special numbers, all bits random, few bits set, or of exponents close to each other so that cancellation happens.
static double random_double(void) {
  switch (random_64() % 5) {
    case 0:
      return number_of(special[random_64() % SPECIALS] + (random_64() % 3 == 0 ? random_64() % 2 : 0));
    case 1:
      return number_of(random_64());
    case 2:
      return number_of((random_64() & 0x8000000000000000) | (1016 + random_64() % 16) << 52 | few_bits() >> 12);
    default:
      return number_of((random_64() & 0x800FFFFFFFFFFFFF) | (1016 + random_64() % 16) << 52);
  }
}

Test(runtime_double, fma_rounds_once) {
  for (int i = 0; i < rounds(); i++)
    expect_fma(random_double(), random_double(), random_double());
}

// What rounding made of the product, or that and a little: almost all of the product goes.
Test(runtime_double, fma_cancels_exactly) {
  for (int i = 0; i < rounds(); i++) {
    double a = random_double(), b = random_double(), product = -a * b;
    expect_fma(a, b, product);
    expect_fma(a, b, number_of(bits_of(product) + random_64() % 8 - 4));
    expect_fma(a, b, product * ldexp(1 + (double)(random_64() % 64) * 0x1p-40, (int)(random_64() % 5) - 2));
  }
}

// The product is halfway between two doubles or nearly so, and the addend, however small, decides.
Test(runtime_double, fma_is_decided_by_the_smallest_addend) {
  for (int i = 0; i < rounds(); i++) {
    double a = 1 + ldexp((double)(random_64() % 1024), -(int)(random_64() % 43) - 10);
    double b = 1 + ldexp((double)(random_64() % 1024), -(int)(random_64() % 43) - 10);
    double c = ldexp(random_64() % 2 ? 1 : -1, -(int)(random_64() % 200)),
           scale = ldexp(1, (int)(random_64() % 2100) - 1080);
    expect_fma(a, b, c);
    expect_fma(a * scale, b, c * scale);
    expect_fma(a, b * scale, random_64() % 2 ? 0x1p-1074 : -0x1p-1074);
  }
}

Test(runtime_double, sqrt_is_correctly_rounded) {
  for (int i = 0; i < rounds() / 2; i++) {
    double x = random_double();
    expect_sqrt(x);
    expect_sqrt(x * x);  // next to exact roots
  }
}

Test(runtime_double, rounding_to_whole_numbers_is_exact) {
  for (int i = 0; i < rounds(); i++) {
    double x = random_double();
    if (random_64() % 2 == 0)
      x = ldexp((double)(int64_t)random_64(), -(int)(random_64() % 70));
    expect_whole_numbers(random_64() % 4 == 0 ? floor(x) + 0.5 : x);
  }
}

Test(runtime_double, ldexp_rounds_once_and_reaches_subnormals) {
  for (int i = 0; i < rounds(); i++)
    expect_ldexp(random_double(), random_64() % 2 == 0 ? (int)(random_64() % 4400) - 2200 : (int)random_64());
}

Test(runtime_double, minimum_and_maximum_prefer_numbers_to_nan) {
  for (int i = 0; i < rounds(); i++)
    expect_minimum_and_maximum(random_double(), random_double());
}

// The halves on both sides of x are compared with x, which is exact.
static uint32_t nearest_half(double x) {
  uint32_t sign = signbit(x) ? 0x8000 : 0, below = 0;
  double magnitude = fabs(x);
  if (isnan(x))
    return 0x7E00;
#define HALF_VALUE(bits) ((bits) < 0x400 ? ldexp((bits), -24) : ldexp((bits) % 1024 + 1024, (int)((bits) / 1024) - 25))
  for (uint32_t bit = 0x4000; bit != 0; bit >>= 1)
    if (below + bit < 0x7C00 && HALF_VALUE(below + bit) <= magnitude)
      below += bit;
  double middle = (HALF_VALUE(below) + HALF_VALUE(below + 1)) / 2;
  return sign | (below + (magnitude > middle || (magnitude == middle && below % 2 != 0)));
}

Test(runtime_double, doubles_become_the_nearest_half) {
  for (int i = 0; i < rounds(); i++) {
    uint32_t bits = (uint32_t)random_64() % 0x7C00;
    double x = random_double();
    if (random_64() % 2 == 0) {  // at a half or halfway to the next, or a last bit beside that
      x = random_64() % 2 ? HALF_VALUE(bits) : (HALF_VALUE(bits) + HALF_VALUE(bits + 1)) / 2;
      x = number_of(bits_of(x) + (x > 0 ? random_64() % 3 - 1 : 0));
    }
    cr_assert_eq(runtime___truncdfhf2(x), nearest_half(x), "%a: half %04x expected, got %04x", x, nearest_half(x),
                 runtime___truncdfhf2(x));
  }
}
