// SPDX-License-Identifier: Apache-2.0
// A Verilated rtl/pipeline/float_add.v: a sum or difference begins and one that began LATENCY cycles ago ends, each
// cycle.
#ifndef HEDDLE_TESTS_RTL_FLOAT_ADD_BLOCK_H
#define HEDDLE_TESTS_RTL_FLOAT_ADD_BLOCK_H

#include <stdint.h>

enum { FLOAT_ADD_LATENCY = 6 };

#ifdef __cplusplus
extern "C" {
#endif
struct float_add_block *float_add_block_create(void);
void float_add_block_destroy(struct float_add_block *block);
// Gives a and b and lets a cycle pass. Returns the result that is there after it.
uint32_t float_add_block_cycle(struct float_add_block *block, uint32_t a, uint32_t b);
#ifdef __cplusplus
}
#endif
#endif
