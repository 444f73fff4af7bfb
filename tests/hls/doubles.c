// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/doubles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
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

// Compiling takes longer than running, so expressions of one kind are kernels k0, k1, ... of few programs.
enum { BATCH = 16, SOURCE_BYTES = 1 << 17 };

void double_evaluate(const void *expressions, size_t stride, int count, const char *type, size_t type_bytes,
                     uint32_t points, void *out, void (*check)(int index, uint32_t points)) {
  static char source[SOURCE_BYTES];
  for (int first = 0; first < count; first += BATCH) {
    int end = first + BATCH < count ? first + BATCH : count, used = 0;
    for (int i = first; i < end; i++) {
      used += snprintf(source + used, sizeof source - (size_t)used,
                       "kernel void k%d(global const double *a, global const double *b, global const double *c,\n"
                       "  global %s *out) { size_t i = get_global_id(0); double x = a[i], y = b[i], z = c[i];\n"
                       "  out[i] = %s; }\n",
                       i, type, *(const char *const *)((const char *)expressions + (size_t)i * stride));
    }
    struct result result = compile_well(source, "--double", "-cl-std=CL3.0", NULL);
    for (int i = first; i < end; i++) {
      char kernel[16];
      snprintf(kernel, sizeof kernel, "k%d", i);
      run_kernel(&result, &(struct dispatch){.kernel = kernel,
                                             .global = {points},
                                             .local = {64},
                                             .buffers = {{double_in[0], (size_t)points * 8},
                                                         {double_in[1], (size_t)points * 8},
                                                         {double_in[2], (size_t)points * 8},
                                                         {out, points * type_bytes}}});
      check(i, points);
    }
    result_free(&result);
  }
}
