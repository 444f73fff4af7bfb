// SPDX-License-Identifier: Apache-2.0
// Drives operators_bench.v.
#include "tests/rtl/operators_block.h"

#include <cstring>

#include "Vblock.h"

double sc_time_stamp() {
  return 0;
}

void operators_cycle(const struct operators_in *in, struct operators_out *out) {
  static Vblock block;
  memcpy(&block.a_i, in->a, sizeof in->a);
  block.b_i = in->b;
  block.c_i = in->c;
  block.turn_i = in->turn;
  block.clk = 0;
  block.eval();
  memcpy(out->floats, &block.float_o, sizeof out->floats);
  memcpy(&out->float_quotient, &block.apart_o, 2 * sizeof(uint32_t));
  memcpy(out->multiplied, &block.multiplied_o, sizeof out->multiplied);
  memcpy(&out->quotient, &block.integer_o, 6 * sizeof(uint32_t));
  memcpy(&out->low_product, &block.wide_o, 2 * sizeof(uint64_t));
  memcpy(out->scan, &block.scan_o, sizeof out->scan);
  memcpy(out->narrow_minimum, &block.scan_narrow_o, sizeof out->narrow_minimum);
  memcpy(out->float_scan, &block.float_scan_o, sizeof out->float_scan);
  memcpy(out->fused_in_turn, &block.in_turn_o, 2 * sizeof out->fused_in_turn);
  memcpy(out->delay, &block.delay_o, sizeof out->delay);
  block.clk = 1;
  block.eval();
}
