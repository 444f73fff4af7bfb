// SPDX-License-Identifier: Apache-2.0
// The Verilated float_operator.v behind float_product_block.h.
#include "tests/rtl/float_product_block.h"

#include "Vblock.h"

struct float_product_block {
  Vblock top;
};

extern "C" {

float_product_block *float_product_block_create(void) {
  return new float_product_block();
}

void float_product_block_destroy(float_product_block *block) {
  delete block;
}

uint32_t float_product_block_cycle(float_product_block *block, uint32_t a, uint32_t b, uint32_t c) {
  Vblock &top = block->top;
  top.a_i = a;
  top.b_i = b;
  top.c_i = c;
  top.clk = 0;
  top.eval();
  top.clk = 1;
  top.eval();
  return top.y_o;
}
}
