// SPDX-License-Identifier: Apache-2.0
// What memory_block.h does not say of the SDRAM controller: its chip. It has seen an edge of its clock in each cycle.
#ifndef HEDDLE_TESTS_RTL_SDRAM_BLOCK_H
#define HEDDLE_TESTS_RTL_SDRAM_BLOCK_H

#include "sim/sdram/sdram_chip.h"
#include "tests/rtl/memory_block.h"

#ifdef __cplusplus
extern "C" {
#endif

const struct sdram_chip *sdram_block_chip(const struct memory_block *block);

#ifdef __cplusplus
}
#endif
#endif
