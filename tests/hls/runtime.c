// SPDX-License-Identifier: Apache-2.0
// The run-time library's functions, compiled for the host and compared bit for bit with the host's own.
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RUNTIME(name) runtime_##name
// The code under test, compiled again for this machine.
// NOLINTBEGIN(bugprone-suspicious-include)
#include "hls/lib/runtime/fma.c"
#include "hls/lib/runtime/half.c"
#include "hls/lib/runtime/memory.c"
#include "hls/lib/runtime/minimum.c"
#include "hls/lib/runtime/rounding.c"
#include "hls/lib/runtime/scale.c"
#include "hls/lib/runtime/sqrt.c"
// NOLINTEND(bugprone-suspicious-include)

static uint64_t state = 88172645463325252u;

static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

static const uint32_t special[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F000000,
                                   0xBF000000, 0x3EFFFFFF, 0x3F000001, 0x3F800000, 0xBF800000, 0x3FC00000, 0x40200000,
                                   0x4B000000, 0x4AFFFFFF, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000};
enum { SPECIALS = sizeof special / sizeof *special };

// Special numbers, all bits random, or of exponents close to each other so that cancellation happens.
static float random_float(void) {
  switch (next() % 4) {
    case 0:
      return float_of(special[next() % SPECIALS] + (next() % 3 == 0 ? next() % 2 : 0));
    case 1:
      return float_of(next());
    default:
      return float_of((next() & 0x807FFFFF) | (120 + next() % 16) << 23);
  }
}

static int rounds(void) {
  return getenv("HEDDLE_TEST_LONG") != NULL ? 50000000 : 1000000;
}

static bool same(float a, float b) {
  return (isnan(a) && isnan(b)) || bits_of(a) == bits_of(b);
}

Test(runtime, fma_rounds_once) {
  for (int i = 0; i < rounds(); i++) {
    float a = random_float(), b = random_float(), c = next() % 4 == 0 ? -a * b : random_float();
    float got = runtime_fmaf(a, b, c), expected = fmaf(a, b, c);
    cr_assert(same(got, expected), "fma(%a, %a, %a): %a expected, got %a", a, b, c, expected, got);
  }
}

Test(runtime, sqrt_is_correctly_rounded) {
  for (int i = 0; i < rounds(); i++) {
    float x = random_float();
    cr_assert(same(runtime_sqrtf(x), sqrtf(x)), "sqrt(%a): %a expected, got %a", x, sqrtf(x), runtime_sqrtf(x));
  }
}

Test(runtime, rounding_to_whole_numbers_is_exact) {
  for (int i = 0; i < rounds(); i++) {
    float x = random_float();
    if (next() % 2 == 0) {
      x = (float)(int32_t)next() * 0.5f / (float)(1 << next() % 24);
    }
    cr_assert(same(runtime_floorf(x), floorf(x)), "floor(%a): got %a", x, runtime_floorf(x));
    cr_assert(same(runtime_ceilf(x), ceilf(x)), "ceil(%a): got %a", x, runtime_ceilf(x));
    cr_assert(same(runtime_truncf(x), truncf(x)), "trunc(%a): got %a", x, runtime_truncf(x));
    cr_assert(same(runtime_roundf(x), roundf(x)), "round(%a): got %a", x, runtime_roundf(x));
    cr_assert(same(runtime_rintf(x), rintf(x)), "rint(%a): got %a", x, runtime_rintf(x));
  }
}

Test(runtime, ldexp_rounds_once_and_reaches_subnormals) {
  for (int i = 0; i < rounds(); i++) {
    float x = random_float();
    int n = next() % 2 == 0 ? (int)(next() % 600) - 300 : (int)next();
    cr_assert(same(runtime_ldexpf(x, n), ldexpf(x, n)), "ldexp(%a, %d): got %a", x, n, runtime_ldexpf(x, n));
  }
}

Test(runtime, minimum_and_maximum_prefer_numbers_to_nan) {
  for (int i = 0; i < rounds(); i++) {
    float a = random_float(), b = random_float();
    if (a == 0 && b == 0) {
      cr_assert_eq(bits_of(runtime_fminf(a, b)), bits_of(a) | bits_of(b));
      cr_assert_eq(bits_of(runtime_fmaxf(a, b)), bits_of(a) & bits_of(b));
      continue;
    }
    float least = isnan(a) ? b : isnan(b) || a < b ? a : b, most = isnan(a) ? b : isnan(b) || a > b ? a : b;
    cr_assert(same(runtime_fminf(a, b), least), "fmin(%a, %a): got %a", a, b, runtime_fminf(a, b));
    cr_assert(same(runtime_fmaxf(a, b), most), "fmax(%a, %a): got %a", a, b, runtime_fmaxf(a, b));
  }
}

// The compiler's own half.
static uint32_t half_of(float x) {
  const _Float16 half = (_Float16)x;
  uint16_t bits;
  memcpy(&bits, &half, 2);
  return bits;
}

Test(runtime, halves_become_floats_exactly) {
  for (uint32_t bits = 0; bits < 65536; bits++) {
    const uint16_t low = (uint16_t)bits;
    _Float16 half;
    memcpy(&half, &low, 2);
    float got = runtime___extendhfsf2(bits | (next() & 0xFFFF0000));
    cr_assert(same(got, (float)half), "half %04x: %a expected, got %a", bits, (double)half, got);
    cr_assert(!isnan(got) || bits_of(got) == QUIET_NAN_BITS);
  }
}

Test(runtime, floats_become_the_nearest_half) {
  for (uint32_t high = 0; high < 1u << 20; high++) {
    static const uint32_t low[] = {0, 1, 0x800, 0xFFF};  // a midpoint, and next to one
    for (int i = 0; i < 5; i++) {
      float x = float_of(high << 12 | (i < 4 ? low[i] : next() & 0xFFF));
      uint32_t got = runtime___truncsfhf2(x), expected = isnan(x) ? 0x7E00 : half_of(x);
      cr_assert_eq(got, expected, "%a: half %04x expected, got %04x", x, expected, got);
    }
  }
}

Test(runtime, memory_functions_copy_exactly_what_they_are_asked_to) {
  for (int i = 0; i < 20000; i++) {
    unsigned char got[96], expected[96];
    for (int j = 0; j < 96; j++) {
      got[j] = expected[j] = (unsigned char)next();
    }
    size_t count = next() % 40, from = next() % 40, to = next() % 40;
    runtime_memmove(got + to, got + from, count);
    memmove(expected + to, expected + from, count);
    cr_assert_arr_eq(got, expected, sizeof got);
    runtime_memset(got + from, (int)count, to);
    memset(expected + from, (int)count, to);
    cr_assert_arr_eq(got, expected, sizeof got);
  }
}
