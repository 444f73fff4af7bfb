// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/doubles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/random.h"

double double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, 8);
  return x;
}

uint64_t double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return bits;
}

bool double_is_same(double a, double b) {
  return double_bits(a) == double_bits(b) || (isnan(a) && isnan(b));
}

static const uint64_t special[] = {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001,
                                   0x000FFFFFFFFFFFFF, 0x800FFFFFFFFFFFFF, 0x0010000000000000, 0x3FE0000000000000,
                                   0xBFE0000000000000, 0x3FDFFFFFFFFFFFFF, 0x3FEFFFFFFFFFFFFF, 0x3FF0000000000000,
                                   0xBFF0000000000000, 0x3FF0000000000001, 0x3FF8000000000000, 0x4000000000000000,
                                   0x4004000000000000, 0xC008000000000000, 0x400921FB54442D18, 0x3FF921FB54442D18,
                                   0x41DFFFFFFFC00000, 0xC1E0000000000000, 0x4330000000000000, 0xC32FFFFFFFFFFFFF,
                                   0x43E0000000000000, 0x47EFFFFFE0000000, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF,
                                   0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001};
enum { SPECIALS = sizeof special / sizeof *special };

double random_double(void) {
  switch (random_64() % 6) {
    case 0:
      return double_of(special[random_64() % SPECIALS]);
    case 1:
      return double_of(random_64());
    case 2:
    case 3:
      return ((double)(int64_t)random_64() * 0x1p-63) * 200;
    default:
      return double_of((random_64() & 0x800FFFFFFFFFFFFF) | (1018 + random_64() % 10) << 52);
  }
}

double double_in[3][DOUBLE_POINTS_MAX];

static double value_of(const void *at) {
  double x;
  memcpy(&x, at, sizeof x);
  return x;
}

const struct operands double_operands = {.type = "double",
                                         .integer = "long",
                                         .option = "--double",
                                         .bytes = 8,
                                         .value_of = value_of,
                                         .in = {double_in[0], double_in[1], double_in[2]}};

void double_fill(uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    bool is_pair = i < SPECIALS * SPECIALS;
    double_in[0][i] = is_pair ? double_of(special[i / SPECIALS]) : random_double();
    double_in[1][i] = is_pair ? double_of(special[i % SPECIALS]) : random_double();
    double_in[2][i] = is_pair ? double_of(special[random_64() % SPECIALS]) : random_double();
  }
}

uint32_t double_points(uint32_t points) {
  return is_long_test() ? DOUBLE_POINTS_MAX : points;
}

void double_evaluate(const void *expressions, size_t stride, int count, const char *type, size_t type_bytes,
                     uint32_t points, void *out, void (*check)(int index, uint32_t points)) {
  evaluate(&double_operands, expressions, stride, count, type, type_bytes, points, out, check);
}
