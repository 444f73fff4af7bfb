// SPDX-License-Identifier: Apache-2.0
// The Verilated float_add.v behind float_add_block.h.
#include "tests/rtl/float_add_block.h"

#include "Vblock.h"

struct float_add_block {
  Vblock top;
};

extern "C" {

float_add_block *float_add_block_create(void) {
  return new float_add_block();
}

void float_add_block_destroy(float_add_block *block) {
  delete block;
}

uint32_t float_add_block_cycle(float_add_block *block, uint32_t a, uint32_t b) {
  Vblock &top = block->top;
  top.a_i = a;
  top.b_i = b;
  top.clk = 0;
  top.eval();
  top.clk = 1;
  top.eval();
  return top.y_o;
}
}
