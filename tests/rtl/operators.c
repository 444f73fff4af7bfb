// SPDX-License-Identifier: Apache-2.0
// rtl/pipeline's operators against C: corner cases in every pair, then random operands, new ones in every cycle; each
// result exactly as many cycles later as the operator's header says. HEDDLE_SEED chooses others.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "tests/rtl/float_reference.h"
#include "tests/rtl/operators_block.h"
#include "tests/rtl/random_word.h"

enum {
  SUM = 6,
  FLOAT = 7,
  FLOAT_DIVIDE = 18,
  FLOAT_ROOT = 17,
  DIVIDE = 33,
  NARROW_DIVIDE = 9,
  MULTIPLY = 2,
  MULTIPLY_WIDE = 4,
  SCAN = 3,
  FLOAT_SCAN = SUM * SCAN + 1,
  FUSED_IN_TURN = FLOAT + 4,
  DIFFERENCE_IN_TURN = SUM + 2
};  // cycles
enum { LATEST = MOST_DELAY, RANDOM = 20000 };

static const uint32_t corners[] = {
    0x00000000, 0x00000001, 0x00000002, 0x000000FF, 0x007FFFFF, 0x00800000, 0x00800001, 0x33800000, 0x3EFFFFFF,
    0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x4B000001, 0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF,
    0x4F800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xBF800000,
    0xBF800001, 0xCF000000, 0xCF000001, 0xFF7FFFFF, 0xFF800000, 0xFFC00000, 0xFFFFFFFF,
};
enum { CORNERS = sizeof corners / sizeof *corners };

static struct operators_in history[LATEST + 1];  // of the last cycles
static uint32_t cycles;

static uint32_t float_expected(unsigned operation, enum rounding mode, const struct operators_in *in) {
  const uint32_t a = in->a[0], b = in->b;
  switch (operation) {
    case 0:
      return float_add(a, b, mode);
    case 1:
      return float_add(a, b ^ 0x80000000u, mode);
    case 2:
      return float_multiply(a, b, mode);
    case 3:
      return float_fused(a, b, in->c, mode);
    case 4:
    case 5:
      return float_from_integer(a, operation == 5, mode);
    default:
      return float_to_integer(a, operation == 7, mode);
  }
}

static uint32_t combine(unsigned operation, uint32_t a, uint32_t b) {
  const int32_t x = (int32_t)a, y = (int32_t)b;
  switch (operation) {
    case 0:
      return a + b;
    case 1:
      return x < y ? a : b;
    case 2:
      return x > y ? a : b;
    case 3:
      return a < b ? a : b;
    case 4:
      return a > b ? a : b;
    case 5:
      return a & b;
    case 6:
      return a | b;
    default:
      return a ^ b;
  }
}

// What went in so many cycles ago.
static const struct operators_in *ago(unsigned count) {
  return cycles >= count ? &history[(cycles - count) % (LATEST + 1)] : NULL;
}

// The documented order: each value + -0, then in level k the lanes whose bit k is set add what the last lane below
// their block of 2^k has.
static void check_float_scan(const struct operators_in *in, const uint32_t *got) {
  uint32_t x[OPERATOR_LANES], next[OPERATOR_LANES];
  for (unsigned i = 0; i < OPERATOR_LANES; i++)
    x[i] = float_add(in->a[i], 0x80000000u, NEAREST_EVEN);
  for (unsigned width = 1; width < OPERATOR_LANES; width *= 2) {
    for (unsigned i = 0; i < OPERATOR_LANES; i++)
      next[i] = i & width ? float_add(x[i / width * width - 1], x[i], NEAREST_EVEN) : x[i];
    memcpy(x, next, sizeof x);
  }
  for (unsigned i = 0; i < OPERATOR_LANES; i++)
    cr_assert_eq(got[i], x[i], "float scan, lane %u: %08" PRIx32 ", not %08" PRIx32, i, got[i], x[i]);
}

static void check_scans(const struct operators_in *in, const struct operators_out *out) {
  int8_t narrow = 127;
  for (unsigned i = 0; i < OPERATOR_LANES; i++) {
    narrow = (int8_t)in->a[i] < narrow ? (int8_t)in->a[i] : narrow;
    cr_assert_eq(out->narrow_minimum[i], (uint8_t)narrow);
  }
  for (unsigned operation = 0; operation < 8; operation++) {
    uint32_t sum = in->a[0];
    for (unsigned i = 0; i < OPERATOR_LANES; i++) {
      sum = i == 0 ? sum : combine(operation, sum, in->a[i]);
      cr_assert_eq(out->scan[operation][i], sum, "operation %u, lane %u: %08" PRIx32 ", not %08" PRIx32, operation, i,
                   out->scan[operation][i], sum);
    }
  }
}

// Sums are to nearest even, whatever the mode.
static void check_floats(unsigned operation, const struct operators_in *in, const uint32_t *got) {
  for (unsigned mode = 0; mode < OPERATOR_MODES; mode++) {
    const uint32_t want = float_expected(operation, operation < 2 ? NEAREST_EVEN : (enum rounding)mode, in);
    cr_assert_eq(got[mode], want,
                 "operation %u, mode %u, of %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": %08" PRIx32 ", not %08" PRIx32,
                 operation, mode, in->a[0], in->b, in->c, got[mode], want);
  }
}

static void check_multiplied(const struct operators_in *in, const uint32_t *got) {
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t want = float_expected(2 + i, NEAREST_EVEN, in);
    cr_assert_eq(got[i], want,
                 "operation %u, by multipliers, of %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ": %08" PRIx32
                 ", not %08" PRIx32,
                 2 + i, in->a[0], in->b, in->c, got[i], want);
  }
}

static void check_turns(const struct operators_out *out) {
  const struct operators_in *at = ago(FUSED_IN_TURN);
  for (unsigned i = 0; i < OPERATOR_LANES && at && at->turn; i++)
    cr_assert_eq(out->fused_in_turn[i], float_fused(at->a[i], at->b, at->c, NEAREST_EVEN), "lane %u in turn", i);
  at = ago(DIFFERENCE_IN_TURN);
  for (unsigned i = 0; i < OPERATOR_LANES && at && at->turn; i++)
    cr_assert_eq(out->difference_in_turn[i], float_add(0x3FC00000, at->a[i] ^ 0x80000000u, NEAREST_EVEN),
                 "lane %u in turn", i);
}

// Turns begin 4 cycles apart, and sometimes more.
static void step(struct operators_in *in) {
  static unsigned since;
  in->turn = since >= 4 && random_below(8) != 0;
  since = in->turn ? 1 : since + 1;
  struct operators_out out;
  operators_cycle(in, &out);
  check_turns(&out);
  const struct operators_in *at;
  for (unsigned operation = 0; operation < 8; operation++)
    if ((at = ago(operation < 2 ? SUM : FLOAT)))
      check_floats(operation, at, out.floats[operation]);
  if ((at = ago(FLOAT)))
    check_multiplied(at, out.multiplied);
  if ((at = ago(FLOAT_DIVIDE))) {
    const uint32_t want = float_divide(at->a[0], at->b, NEAREST_EVEN);
    cr_assert_eq(out.float_quotient, want, "%08" PRIx32 " over %08" PRIx32 ": %08" PRIx32 ", not %08" PRIx32, at->a[0],
                 at->b, out.float_quotient, want);
  }
  if ((at = ago(FLOAT_ROOT))) {
    const uint32_t want = float_root(at->a[0], NEAREST_EVEN);
    cr_assert_eq(out.float_root, want, "root of %08" PRIx32 ": %08" PRIx32 ", not %08" PRIx32, at->a[0], out.float_root,
                 want);
  }
  if ((at = ago(DIVIDE))) {
    cr_assert_eq(out.quotient, at->b != 0 ? at->a[0] / at->b : UINT32_MAX);
    cr_assert_eq(out.remainder, at->b != 0 ? at->a[0] % at->b : at->a[0]);
  }
  if ((at = ago(NARROW_DIVIDE))) {
    const uint8_t a = (uint8_t)at->a[0], b = (uint8_t)at->b;
    cr_assert_eq(out.narrow_quotient, b != 0 ? a / b : UINT8_MAX);
    cr_assert_eq(out.narrow_remainder, b != 0 ? a % b : a);
  }
  if ((at = ago(MULTIPLY))) {
    cr_assert_eq(out.product, at->a[0] * at->b);
    cr_assert_eq(out.narrow_product, (at->a[0] * at->b & 0xFF));
  }
  if ((at = ago(MULTIPLY_WIDE))) {
    const uint64_t a = (uint64_t)at->a[1] << 32 | at->a[0], b = (uint64_t)at->b << 32 | at->c;
    const unsigned __int128 product = (unsigned __int128)a * b;
    cr_assert_eq(out.low_product, (uint64_t)product);
    cr_assert_eq(out.high_product, (uint64_t)(product >> 64), "%016" PRIx64 " times %016" PRIx64, a, b);
  }
  if ((at = ago(SCAN)))
    check_scans(at, &out);
  if ((at = ago(FLOAT_SCAN)))
    check_float_scan(at, out.float_scan);
  for (unsigned k = 1; k <= MOST_DELAY; k++)
    if ((at = ago(k)))
      cr_assert_eq(out.delay[k - 1], at->b, "delayed by %u cycles", k);
  history[cycles++ % (LATEST + 1)] = *in;
}

// A word of one of the kinds that matter: any bits, a small number, a float near others.
static uint32_t random_operand(uint32_t exponent) {
  const uint32_t r = random_word();
  switch (r % 4) {
    case 0:
      return random_word();
    case 1:
      return random_word() >> (r >> 8) % 32;
    case 2:
      return corners[(r >> 8) % CORNERS];
    default:
      return (r & 0x80000000u) | ((exponent + (r >> 8) % 8) & 0xFF) << 23 |
             (random_word() & 0x7FFFFFu & ~0u << (r >> 16) % 24);
  }
}

Test(operators, give_what_c_gives_for_corner_cases_and_random_operands) {
  random_seed(0x0BE2A702);
  struct operators_in in = {.b = 0};
  // float_unit.v keeps a constant in a register: it is there after the first edge of the clock.
  struct operators_out ignored;
  operators_cycle(&in, &ignored);
  for (unsigned i = 0; i < CORNERS; i++)
    for (unsigned k = 0; k < CORNERS; k++) {
      in.a[0] = corners[i];
      in.b = corners[k];
      in.c = corners[random_below(CORNERS)];
      for (unsigned l = 1; l < OPERATOR_LANES; l++)
        in.a[l] = corners[random_below(CORNERS)];
      step(&in);
    }
  for (unsigned i = 0; i < RANDOM; i++) {
    const uint32_t exponent = random_word() % 256;
    for (unsigned l = 0; l < OPERATOR_LANES; l++)
      in.a[l] = random_operand(exponent);
    in.b = random_operand(random_below(2) ? exponent : 254 - exponent);
    in.c = random_below(8) == 0 ? float_multiply(in.a[0], in.b, NEAREST_EVEN) ^ 0x80000000u : random_operand(exponent);
    step(&in);
  }
}
