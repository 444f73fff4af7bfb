// SPDX-License-Identifier: Apache-2.0
// What kernel pipelines compute doubles with (hls/lib/pipeline/soft_double.c), compiled for the host and compared bit
// for bit with the host's own; of NaNs, with what programmable units have.
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define SOFT_DOUBLE(name) soft_##name
// NOLINTNEXTLINE(bugprone-suspicious-include); the code under test, compiled again for this machine
#include "hls/lib/pipeline/soft_double.c"
#include "tests/hls/double_samples.h"
#include "tests/hls/random.h"

static int rounds(void) {
  return is_long_test() ? 20000000 : 300000;
}

static double number_of(word bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static word bits_of(double x) {
  word bits;
  memcpy(&bits, &x, sizeof bits);
  return isnan(x) ? NOT_A_NUMBER : bits;
}

static uint32_t bits_of_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Special numbers, all bits random, few bits set, subnormal ones, or of exponents close to each other so that
// cancellation happens.
static word random_bits(void) {
  switch (random_64() % 6) {
    case 0:
      return special[random_64() % SPECIALS] + (random_64() % 3 == 0 ? random_64() % 2 : 0);
    case 1:
      return random_64();
    case 2:
      return (random_64() & SIGN) | (1016 + random_64() % 16) << 52 | few_bits() >> 12;
    case 3:
      return (random_64() & SIGN) | (random_64() % 2047) << 52 | few_bits() >> 12;
    case 4:
      return (random_64() & SIGN) | (random_64() & FRACTION) >> random_64() % 52;
    default:
      return (random_64() & 0x800FFFFFFFFFFFFF) | (1016 + random_64() % 70) << 52;
  }
}

#define expect(got, expected, ...)                                                                                     \
  do {                                                                                                                 \
    const word its = (word)(got), right = (word)(expected);                                                            \
    cr_assert_eq(its, right, "%s of %016lx, %016lx and %016lx: %016lx expected, got %016lx", #got, __VA_ARGS__, right, \
                 its);                                                                                                 \
  } while (0)

Test(soft_double, sums_products_quotients_and_roots_are_rounded_once) {
  for (int i = 0; i < rounds(); i++) {
    const word a = random_bits(), b = random_bits(), c = random_bits();
    const double x = number_of(a), y = number_of(b), z = number_of(c);
    expect(soft_add(a, b), bits_of(x + y), a, b, c);
    expect(soft_subtract(a, b), bits_of(x - y), a, b, c);
    expect(soft_multiply(a, b), bits_of(x * y), a, b, c);
    expect(soft_divide(a, b), bits_of(x / y), a, b, c);
    expect(soft_root(a), bits_of(sqrt(x)), a, b, c);
    expect(soft_fused(a, b, c), bits_of(fma(x, y, z)), a, b, c);
    // Almost all of the product goes.
    const word product = bits_of(-(x * y)) + random_64() % 8 - 4;
    expect(soft_fused(a, b, product), bits_of(fma(x, y, number_of(product))), a, b, product);
    const int n = random_64() % 2 ? (int)(random_64() % 4400) - 2200 : (int)random_64();
    expect(soft_ldexp(a, n), bits_of(ldexp(x, n)), a, (word)n, c);
  }
}

Test(soft_double, comparisons_know_zeros_and_nans) {
  for (int i = 0; i < rounds(); i++) {
    const word a = random_bits(), b = random_64() % 8 == 0 ? a ^ (random_64() & SIGN) : random_bits();
    const double x = number_of(a), y = number_of(b);
    expect(soft_less(a, b), x < y, a, b, 0ul);
    expect(soft_equal(a, b), x == y, a, b, 0ul);
    expect(soft_unordered(a, b), isunordered(x, y) != 0, a, b, 0ul);
    const bool a_is_less = x < y || (x == y && signbit(x) != 0);
    const bool chooses_a = isnan(y) || (!isnan(x) && a_is_less);
    expect(soft_minimum(a, b), bits_of(isnan(x) || !chooses_a ? y : x), a, b, 0ul);
    const bool chooses_b = isnan(x) || (!isnan(y) && (a_is_less || a == b));
    expect(soft_maximum(a, b), bits_of(chooses_b ? y : x), a, b, 0ul);
  }
}

Test(soft_double, rounding_to_whole_numbers_is_exact) {
  for (int i = 0; i < rounds(); i++) {
    word a = random_bits();
    if (random_64() % 2 == 0)  // near the point, halves among them
      a = (a & ~INFINITE & ~(((word)1 << 51 >> random_64() % 51) - 1)) | (1020 + random_64() % 60) << 52;
    const double x = number_of(a);
    expect(soft_floor(a), bits_of(floor(x)), a, 0ul, 0ul);
    expect(soft_ceil(a), bits_of(ceil(x)), a, 0ul, 0ul);
    expect(soft_trunc(a), bits_of(trunc(x)), a, 0ul, 0ul);
    expect(soft_round(a), bits_of(round(x)), a, 0ul, 0ul);
    expect(soft_roundeven(a), bits_of(rint(x)), a, 0ul, 0ul);
  }
}

Test(soft_double, integers_become_doubles_and_back) {
  for (int i = 0; i < rounds(); i++) {
    const word w = random_64() >> random_64() % 64, a = random_bits();
    expect(soft_of_ulong(w), bits_of((double)w), w, 0ul, 0ul);
    expect(soft_of_long((int64_t)w), bits_of((double)(int64_t)w), w, 0ul, 0ul);
    expect(soft_of_uint((uint32_t)w), bits_of((double)(uint32_t)w), w, 0ul, 0ul);
    expect(soft_of_int((int32_t)w), bits_of((double)(int32_t)w), w, 0ul, 0ul);
    // What is out of range, a NaN too, becomes the limit on the side of its sign.
    const double x = number_of(a);
    const bool is_negative = a >> 63 != 0;
    expect((uint32_t)soft_to_int(a),
           (uint32_t)(fabs(x) < 0x1p31 ? (int32_t)x
                      : is_negative    ? INT32_MIN
                                       : INT32_MAX),
           a, 0ul, 0ul);
    expect(soft_to_uint(a), x > -1 && x < 0x1p32 ? (uint32_t)x : is_negative ? 0 : UINT32_MAX, a, 0ul, 0ul);
    expect(soft_to_long(a), fabs(x) < 0x1p63 ? (int64_t)x : is_negative ? INT64_MIN : INT64_MAX, a, 0ul, 0ul);
    expect(soft_to_ulong(a), x > -1 && x < 0x1p64 ? (uint64_t)x : is_negative ? 0 : UINT64_MAX, a, 0ul, 0ul);
  }
}

Test(soft_double, floats_become_doubles_and_back) {
  for (int i = 0; i < rounds(); i++) {
    uint32_t narrow_bits = (uint32_t)random_64() & (random_64() % 4 == 0 ? 0x807FFFFF : 0xFFFFFFFF);
    float narrow_number;
    memcpy(&narrow_number, &narrow_bits, sizeof narrow_number);
    const word wide_bits = soft_of_float(narrow_bits);
    if (isnan(narrow_number))  // with its sign and payload, and quiet
      expect(wide_bits, (word)(narrow_bits >> 31) << 63 | NOT_A_NUMBER | (word)(narrow_bits & 0x7FFFFF) << 29,
             (word)narrow_bits, 0ul, 0ul);
    else
      expect(wide_bits, bits_of(narrow_number), (word)narrow_bits, 0ul, 0ul);
    word a = random_bits();
    if (random_64() % 2 == 0)
      a = (a & ~INFINITE) | (860 + random_64() % 300) << 52;
    expect(soft_to_float(a), bits_of_float((float)number_of(a)), a, 0ul, 0ul);
  }
}
