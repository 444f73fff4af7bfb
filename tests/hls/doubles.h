// SPDX-License-Identifier: Apache-2.0
// Doubles, and expressions of them run on the golden model, for the tests of double (heddlec --double).
#ifndef HEDDLE_TESTS_HLS_DOUBLES_H
#define HEDDLE_TESTS_HLS_DOUBLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/hls/expressions.h"

enum { DOUBLE_POINTS_MAX = 65536 };

double random_double(void);  // special doubles, doubles about 1, in [-200, 200], any bits
double double_of(uint64_t bits);
uint64_t double_bits(double x);
bool double_is_same(double a, double b);  // bit for bit, but that NaNs are one another's equal

// What expressions are evaluated for: x, y and z.
extern double double_in[3][DOUBLE_POINTS_MAX];
extern const struct operands double_operands;

// All pairs of special doubles, z beside them, then random ones up to `points`, a multiple of 64.
void double_fill(uint32_t points);

// evaluate() of them.
void double_evaluate(const void *expressions, size_t stride, int count, const char *type, size_t type_bytes,
                     uint32_t points, void *out, void (*check)(int index, uint32_t points));

// More points where HEDDLE_TEST_LONG asks for them.
uint32_t double_points(uint32_t points);

#endif
