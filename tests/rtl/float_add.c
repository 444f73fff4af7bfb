// SPDX-License-Identifier: Apache-2.0
// The adder of kernel pipelines against IEEE 754: corner cases in every pair, then random operands of kinds that round,
// cancel and underflow. HEDDLE_SEED chooses others; HEDDLE_TEST_LONG takes twenty times as many.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tests/rtl/float_add_block.h"
#include "tests/rtl/float_reference.h"
#include "tests/rtl/random_word.h"

static struct float_add_block *block;
static uint32_t waiting[FLOAT_ADD_LATENCY][2];
static unsigned begun;

static void setup(void) {
  block = float_add_block_create();
  begun = 0;
  random_seed(0x5eed);
}

static void teardown(void) {
  float_add_block_destroy(block);
}

// Begins a + b, or a - b, and checks what ends.
static void try(uint32_t a, uint32_t b) {
  uint32_t *pair = waiting[begun % FLOAT_ADD_LATENCY];
  pair[0] = a;
  pair[1] = b;
  begun++;
  const uint32_t got = float_add_block_cycle(block, a, b);
  if (begun < FLOAT_ADD_LATENCY)
    return;
  const uint32_t *ended = waiting[begun % FLOAT_ADD_LATENCY];
  const uint32_t expected = float_add(ended[0], ended[1] ^ (SUBTRACT ? 0x80000000u : 0), NEAREST_EVEN);
  cr_assert_eq(got, expected, "%08" PRIx32 " %c %08" PRIx32 ": expected %08" PRIx32 ", got %08" PRIx32, ended[0],
               SUBTRACT ? '-' : '+', ended[1], expected, got);
}

static void finish(void) {
  for (unsigned i = 1; i < FLOAT_ADD_LATENCY; i++)
    try(0, 0);
}

TestSuite(float_add, .init = setup, .fini = teardown);

Test(float_add, corner_cases_in_every_pair) {
  static const uint32_t exponents[] = {0, 1, 2, 3, 23, 24, 25, 26, 27, 28, 29, 126, 127, 128, 230, 253, 254, 255};
  static const uint32_t mantissas[] = {0, 1, 2, 3, 7, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff};
  enum { EXPONENTS = sizeof exponents / sizeof exponents[0], MANTISSAS = sizeof mantissas / sizeof mantissas[0] };
  enum { CASES = 2 * EXPONENTS * MANTISSAS };
  uint32_t cases[CASES];
  for (unsigned i = 0; i < CASES; i++)
    cases[i] = (i & 1) << 31 | exponents[i / 2 % EXPONENTS] << 23 | mantissas[i / 2 / EXPONENTS];
  for (unsigned i = 0; i < CASES; i++)
    for (unsigned k = 0; k < CASES; k++)
      try(cases[i], cases[k]);
  finish();
}

Test(float_add, random_operands_of_every_distance) {
  const unsigned count = getenv("HEDDLE_TEST_LONG") ? 20000000 : 1000000;
  for (unsigned i = 0; i < count; i++) {
    const uint32_t a = random_word(), b = random_word(), how = random_word();
    switch (how % 5) {
      case 0:
        try(a, b);
        break;
      case 1:  // exponents up to 31 apart
        try(a, (b & 0x807fffff) | ((a + ((how >> 8) % 63) * 0x800000u - 31 * 0x800000u) & 0x7f800000));
        break;
      case 2:  // nearly the same: most cancels
        try(a, a ^ 0x80000000u ^ 1u << (how >> 8) % 24);
        break;
      case 3:  // some units of the last place apart, across powers of two too
        try(a & ~(how >> 8 & 1 ? 0x7fffffu : 0), (a ^ (how & 0x80000000u)) + (how >> 16) % 9 - 4);
        break;
      default:  // subnormal and little above
        try(a & 0x81ffffff, b & 0x8dffffff);
        break;
    }
  }
  finish();
}
