// SPDX-License-Identifier: Apache-2.0
// Halves, and expressions of them run on the golden model, for the tests of half arithmetic (cl_khr_fp16).
#ifndef HEDDLE_TESTS_HLS_HALVES_H
#define HEDDLE_TESTS_HLS_HALVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/hls/expressions.h"

enum { HALF_COUNT = 65536, HALF_POINTS_MAX = HALF_COUNT };

uint16_t random_half(void);  // special halves, halves about 1, any halves

double half_value(uint16_t bits);
bool half_is_nan(uint16_t bits);
uint16_t half_bits(double x);  // the nearest half, of two the even one

// What expressions are evaluated for: x, y and z.
extern uint16_t half_in[3][HALF_POINTS_MAX];
extern const struct operands half_operands;

// All pairs of special halves, then `random` random ones; z beside them. Returns how many.
uint32_t half_fill_pairs(uint32_t random);

// x is every half there is; where floats are software, a sixteenth of them unless there is time. Returns how many.
uint32_t half_fill_all(void);

// evaluate() of them; `type` is half, or int or float for what is none.
void half_evaluate(const void *expressions, size_t stride, int count, const char *type, uint32_t points, void *out,
                   void (*check)(int index, uint32_t points));

#endif
