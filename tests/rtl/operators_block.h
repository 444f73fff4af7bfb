// SPDX-License-Identifier: Apache-2.0
// The Verilated operators_bench.v for tests in C.
#ifndef HEDDLE_TESTS_RTL_OPERATORS_BLOCK_H
#define HEDDLE_TESTS_RTL_OPERATORS_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { OPERATOR_LANES = 8, OPERATOR_MODES = 5, MOST_DELAY = 40 };

struct operators_in {
  uint32_t a[OPERATOR_LANES], b, c;
  bool turn;  // every fourth cycle at most
};

struct operators_out {
  uint32_t floats[8][OPERATOR_MODES];  // by operation of float_operator.v and rounding mode
  uint32_t float_quotient, float_root;
  uint32_t multiplied[2];  // a product, and one and a sum, with MULTIPLIED_SHIFTS
  uint32_t quotient, remainder, narrow_quotient, narrow_remainder, product, narrow_product;
  uint64_t low_product, high_product;  // of a[0] and a[1] above it, and c and b above it
  uint32_t scan[8][OPERATOR_LANES];    // by operation of lane_operator.v
  uint32_t narrow_minimum[OPERATOR_LANES], float_scan[OPERATOR_LANES];
  uint32_t fused_in_turn[OPERATOR_LANES], difference_in_turn[OPERATOR_LANES];
  uint32_t delay[MOST_DELAY];  // by cycles, less one
};

#ifdef __cplusplus
extern "C" {
#endif
// What comes out before the clock's edge with which `in` goes in.
void operators_cycle(const struct operators_in *in, struct operators_out *out);
#ifdef __cplusplus
}
#endif

#endif
