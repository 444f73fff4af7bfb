// SPDX-License-Identifier: Apache-2.0
// Products, and products and sums rounded once, of kernel pipelines against IEEE 754: corner cases in every pair, then
// random operands of kinds that round, cancel and underflow. OPERATION is that of float_operator.v: 2 or 3. HEDDLE_SEED
// chooses others; HEDDLE_TEST_LONG takes twenty times as many.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tests/rtl/float_product_block.h"
#include "tests/rtl/float_reference.h"
#include "tests/rtl/random_word.h"

enum { FUSED = OPERATION == 3, SIGN = INT32_MIN, MANTISSA = 0x7fffff };

static struct float_product_block *block;
static uint32_t waiting[FLOAT_PRODUCT_LATENCY][3];
static unsigned begun;

static void setup(void) {
  block = float_product_block_create();
  begun = 0;
  random_seed(0x5eed);
}

static void teardown(void) {
  float_product_block_destroy(block);
}

// Begins a * b, or a * b + c, and checks what ends.
static void try(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *begins = waiting[begun % FLOAT_PRODUCT_LATENCY];
  begins[0] = a;
  begins[1] = b;
  begins[2] = c;
  begun++;
  const uint32_t got = float_product_block_cycle(block, a, b, c);
  if (begun < FLOAT_PRODUCT_LATENCY)
    return;
  const uint32_t *ended = waiting[begun % FLOAT_PRODUCT_LATENCY];
  const uint32_t expected = FUSED ? float_fused(ended[0], ended[1], ended[2], NEAREST_EVEN)
                                  : float_multiply(ended[0], ended[1], NEAREST_EVEN);
  cr_assert_eq(got, expected, "%08" PRIx32 " * %08" PRIx32 " + %08" PRIx32 ": expected %08" PRIx32 ", got %08" PRIx32,
               ended[0], ended[1], ended[2], expected, got);
}

static void finish(void) {
  for (unsigned i = 1; i < FLOAT_PRODUCT_LATENCY; i++)
    try(0, 0, 0);
}

TestSuite(float_product, .init = setup, .fini = teardown);

Test(float_product, corner_cases_in_every_pair) {
  static const uint32_t exponents[] = {0, 1, 2, 23, 24, 63, 64, 103, 126, 127, 128, 151, 190, 230, 253, 254, 255};
  static const uint32_t mantissas[] = {0, 1, 2, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff};
  enum { EXPONENTS = sizeof exponents / sizeof exponents[0], MANTISSAS = sizeof mantissas / sizeof mantissas[0] };
  enum { CASES = 2 * EXPONENTS * MANTISSAS };
  uint32_t cases[CASES];
  for (unsigned i = 0; i < CASES; i++)
    cases[i] = (i & 1) << 31 | exponents[i / 2 % EXPONENTS] << 23 | mantissas[i / 2 / EXPONENTS];
  for (unsigned i = 0; i < CASES; i++)
    for (unsigned k = 0; k < CASES; k++)
      for (unsigned n = 0; n < (FUSED ? 5 : 1); n++)
        try(cases[i], cases[k], n == 0 ? 0 : n == 1 ? 0x80000001u : cases[random_below(CASES)]);
  finish();
}

// Of the exponent that the product has, and so many more.
static uint32_t near(uint32_t a, uint32_t b, uint32_t c, int more) {
  const int exponent = (int)(a >> 23 & 255) + (int)(b >> 23 & 255) - 127 + more;
  return (c & ~0x7f800000u) | (uint32_t)(exponent < 0 ? 0 : exponent > 254 ? 254 : exponent) << 23;
}

// Mantissas of few ones, whose products lie between two numbers.
static uint32_t few_ones(uint32_t a, uint32_t how) {
  return a & (~(uint32_t)MANTISSA | (how & MANTISSA & how >> 3 & how >> 7));
}

Test(float_product, random_operands_that_round_cancel_and_underflow) {
  const unsigned count = getenv("HEDDLE_TEST_LONG") ? 20000000 : 1000000;
  for (unsigned i = 0; i < count; i++) {
    uint32_t a = random_word(), b = random_word(), c = random_word();
    const uint32_t how = random_word();
    if (how >> 30 == 0) {
      a = few_ones(a, random_word());
      b = few_ones(b, random_word());
      c = few_ones(c, random_word());
    }
    if (how >> 28 & 1)  // the product's exponent is any that a float has
      b = (b & ~0x7f800000u) | ((127 + (how & 255) - (a >> 23)) & 255) << 23;
    switch ((how >> 8) % 6) {
      case 0:
        try(a, b, c);
        break;
      case 1:  // all distances
        try(a, b, near(a, b, c, (int)((how >> 16) % 128) - 64));
        break;
      case 2:  // most cancels, or all
        c = float_multiply(a, b, NEAREST_EVEN) ^ SIGN;
        try(a, b, c + (how >> 16) % 5 - 2);
        break;
      case 3:  // a power of two, some units of the last place away
        try(a, b & ~(uint32_t)MANTISSA, near(a, b, (a ^ SIGN) + (how >> 16) % 9 - 4, 0));
        break;
      case 4:  // a is subnormal or little above, and the product anything
        a &= 0x81ffffff;
        try(a >> (how >> 16) % 24 | (a & SIGN), b, near(a, b, c, (int)((how >> 20) % 64) - 48));
        break;
      default:  // the product is subnormal
        b = (b & ~0x7f800000u) | ((128 + (how >> 16) % 32 - (a >> 23 & 127)) & 255) << 23;
        try(a & ~0x40000000u, b, c & 0x83ffffff);
        break;
    }
  }
  finish();
}
