// SPDX-License-Identifier: Apache-2.0
// What memory_block.h does not say of the DDR3 memory: how its start went, and its chip.
#ifndef HEDDLE_TESTS_RTL_DDR3_BLOCK_H
#define HEDDLE_TESTS_RTL_DDR3_BLOCK_H

#include "sim/ddr3/ddr3_chip.h"
#include "tests/rtl/memory_block.h"

#ifdef __cplusplus
extern "C" {
#endif

// At the end of the last cycle.
struct ddr3_levelling {
  bool started, failed;
  unsigned chosen;  // five bits for each byte: delay, and slip above it
};
struct ddr3_levelling ddr3_block_levelling(const struct memory_block *block);

// To look at, and to change windows of.
struct ddr3_chip *ddr3_block_chip(struct memory_block *block);

#ifdef __cplusplus
}
#endif
#endif
