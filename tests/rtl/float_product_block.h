// SPDX-License-Identifier: Apache-2.0
// A Verilated rtl/pipeline/float_operator.v that multiplies, with OPERATION = 3 and adds: an operation begins and one
// that began LATENCY cycles ago ends, each cycle.
#ifndef HEDDLE_TESTS_RTL_FLOAT_PRODUCT_BLOCK_H
#define HEDDLE_TESTS_RTL_FLOAT_PRODUCT_BLOCK_H

#include <stdint.h>

enum { FLOAT_PRODUCT_LATENCY = 7 };

#ifdef __cplusplus
extern "C" {
#endif
struct float_product_block *float_product_block_create(void);
void float_product_block_destroy(struct float_product_block *block);
// Gives a, b and c and lets a cycle pass. Returns the result that is there after it.
uint32_t float_product_block_cycle(struct float_product_block *block, uint32_t a, uint32_t b, uint32_t c);
#ifdef __cplusplus
}
#endif
#endif
