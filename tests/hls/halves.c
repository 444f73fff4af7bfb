// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/halves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/random.h"

double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double x = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
             : exponent == 0 ? ldexp(fraction, -24)
                             : ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -x : x;
}

bool half_is_nan(uint16_t bits) {
  return (bits & 0x7FFF) > 0x7C00;
}

// Of doubles below 2^-26 nothing is left; others are cut to whole units in the last place of a half.
uint16_t half_bits(double x) {
  uint16_t sign = signbit(x) ? 0x8000 : 0;
  double magnitude = fabs(x);
  if (isnan(x))
    return 0x7E00;
  if (magnitude >= 65520)
    return sign | 0x7C00;
  int exponent;
  frexp(magnitude, &exponent);
  exponent = magnitude == 0 || exponent < -13 ? -13 : exponent;
  double units = nearbyint(ldexp(magnitude, 11 - exponent));  // exact but for nearbyint
  // 1024 units and more carry into the exponent field by themselves.
  return sign | (uint16_t)((exponent + 13) * 1024 + (int)units);
}

static const uint16_t special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x0003, 0x03FF, 0x83FF, 0x0400, 0x8400,
                                   0x0401, 0x1000, 0x1400, 0x3555, 0x3800, 0xB800, 0x3BFF, 0x3C00, 0xBC00, 0x3C01,
                                   0x3E00, 0x4000, 0xC000, 0x4200, 0x4248, 0xC248, 0x5C00, 0x63FF, 0x6400, 0x6800,
                                   0x7800, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFFFF};
enum { SPECIALS = sizeof special / sizeof *special };

uint16_t random_half(void) {
  switch (random_word() % 4) {
    case 0:
      return special[random_word() % SPECIALS];
    case 1:
      return (uint16_t)((random_word() & 0x83FF) | (13 + random_word() % 5) << 10);  // about 1
    default:
      return (uint16_t)random_word();
  }
}

uint16_t half_in[3][HALF_POINTS_MAX];

static double value_of(const void *at) {
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return half_value(bits);
}

const struct operands half_operands = {
    .type = "half", .integer = "short", .bytes = 2, .value_of = value_of, .in = {half_in[0], half_in[1], half_in[2]}};

uint32_t half_fill_pairs(uint32_t random) {
  uint32_t count = 0;
  for (int a = 0; a < SPECIALS; a++) {
    for (int b = 0; b < SPECIALS; b++, count++) {
      half_in[0][count] = special[a];
      half_in[1][count] = special[b];
      half_in[2][count] = special[random_word() % SPECIALS];
    }
  }
  for (uint32_t i = 0; i < random; i++, count++)
    for (int k = 0; k < 3; k++)
      half_in[k][count] = random_half();
  return count / 64 * 64;
}

uint32_t half_fill_all(void) {
  bool is_soft = getenv("HEDDLE_TEST_ISA") && !is_long_test();
  uint32_t count = 0;
  for (uint32_t bits = 0; bits < HALF_COUNT; bits += is_soft ? 1 + random_word() % 31 : 1)
    half_in[0][count++] = (uint16_t)bits;
  while (count % 64 != 0)
    half_in[0][count++] = 0x3C00;
  return count;
}

void half_evaluate(const void *expressions, size_t stride, int count, const char *type, uint32_t points, void *out,
                   void (*check)(int index, uint32_t points)) {
  size_t bytes = strcmp(type, "half") == 0 ? 2 : 4;
  evaluate(&half_operands, expressions, stride, count, type, bytes, points, out, check);
}
