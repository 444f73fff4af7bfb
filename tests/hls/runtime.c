// SPDX-License-Identifier: Apache-2.0
// The run-time library's functions, compiled for the host and compared bit for bit with the host's own.
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define RUNTIME(name) runtime_##name
#define HOST(name) name##f
// The code under test, compiled again for this machine.
// NOLINTBEGIN(bugprone-suspicious-include)
#include "hls/lib/runtime/float_fma.c"
#include "hls/lib/runtime/float_minimum.c"
#include "hls/lib/runtime/float_rounding.c"
#include "hls/lib/runtime/float_scale.c"
#include "hls/lib/runtime/float_sqrt.c"
#include "hls/lib/runtime/half.c"
#include "hls/lib/runtime/memory.c"
// NOLINTEND(bugprone-suspicious-include)
#include "tests/hls/random.h"
#include "tests/hls/runtime_checks.h"

static const uint32_t special[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F000000,
                                   0xBF000000, 0x3EFFFFFF, 0x3F000001, 0x3F800000, 0xBF800000, 0x3FC00000, 0x40200000,
                                   0x4B000000, 0x4AFFFFFF, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000};
enum { SPECIALS = sizeof special / sizeof *special };

// Special numbers, all bits random, or of exponents close to each other so that cancellation happens.
static float random_float(void) {
  switch (random_word() % 4) {
    case 0:
      return number_of(special[random_word() % SPECIALS] + (random_word() % 3 == 0 ? random_word() % 2 : 0));
    case 1:
      return number_of(random_word());
    default:
      return number_of((random_word() & 0x807FFFFF) | (120 + random_word() % 16) << 23);
  }
}

Test(runtime, fma_rounds_once) {
  for (int i = 0; i < rounds(); i++) {
    float a = random_float(), b = random_float();
    expect_fma(a, b, random_word() % 4 == 0 ? -a * b : random_float());
  }
}

Test(runtime, sqrt_is_correctly_rounded) {
  for (int i = 0; i < rounds(); i++)
    expect_sqrt(random_float());
}

Test(runtime, rounding_to_whole_numbers_is_exact) {
  for (int i = 0; i < rounds(); i++) {
    bool is_near = random_word() % 2 == 0;
    expect_whole_numbers(is_near ? (float)(int32_t)random_word() * 0.5f / (float)(1 << random_word() % 24)
                                 : random_float());
  }
}

Test(runtime, ldexp_rounds_once_and_reaches_subnormals) {
  for (int i = 0; i < rounds(); i++)
    expect_ldexp(random_float(), random_word() % 2 == 0 ? (int)(random_word() % 600) - 300 : (int)random_word());
}

Test(runtime, minimum_and_maximum_prefer_numbers_to_nan) {
  for (int i = 0; i < rounds(); i++)
    expect_minimum_and_maximum(random_float(), random_float());
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
    float got = runtime___extendhfsf2(bits | (random_word() & 0xFFFF0000));
    cr_assert(is_same(got, (float)half), "half %04x: %a expected, got %a", bits, (double)half, got);
    cr_assert(!isnan(got) || bits_of(got) == QUIET_NAN_BITS);
  }
}

Test(runtime, floats_become_the_nearest_half) {
  for (uint32_t high = 0; high < 1u << 20; high++) {
    static const uint32_t low[] = {0, 1, 0x800, 0xFFF};  // a midpoint, and next to one
    for (int i = 0; i < 5; i++) {
      float x = number_of(high << 12 | (i < 4 ? low[i] : random_word() & 0xFFF));
      uint32_t got = runtime___truncsfhf2(x), expected = isnan(x) ? 0x7E00 : half_of(x);
      cr_assert_eq(got, expected, "%a: half %04x expected, got %04x", x, expected, got);
    }
  }
}

Test(runtime, memory_functions_copy_exactly_what_they_are_asked_to) {
  for (int i = 0; i < 20000; i++) {
    unsigned char got[96], expected[96];
    for (int j = 0; j < 96; j++)
      got[j] = expected[j] = (unsigned char)random_word();
    size_t count = random_word() % 40, from = random_word() % 40, to = random_word() % 40;
    runtime_memmove(got + to, got + from, count);
    memmove(expected + to, expected + from, count);
    cr_assert_arr_eq(got, expected, sizeof got);
    runtime_memset(got + from, (int)count, to);
    memset(expected + from, (int)count, to);
    cr_assert_arr_eq(got, expected, sizeof got);
  }
}
