// SPDX-License-Identifier: Apache-2.0
// The Verilated lanes (lane_bench.v) for tests in C.
#ifndef HEDDLE_TESTS_RTL_LANE_BENCH_H
#define HEDDLE_TESTS_RTL_LANE_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_LANES = 8 };

// One value for every lane.
typedef struct lanes_value {
  uint32_t lane[BENCH_LANES];
} lanes_value;

#ifdef __cplusplus
extern "C" {
#endif
// Issues instruction[0] to instruction[count - 1] in as many cycles; x1, x2 and x3 are a[i], b[i] and c[i].
void bench_run(size_t count, const uint32_t *instruction, const lanes_value *a, const lanes_value *b,
               const lanes_value *c, lanes_value *result);
// A division, remainder or root.
void bench_divide(uint32_t instruction, const lanes_value *a, const lanes_value *b, lanes_value *result);
// Is the instruction illegal?
bool bench_illegal(uint32_t instruction);
#ifdef __cplusplus
}
#endif

#endif
