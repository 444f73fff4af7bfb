// SPDX-License-Identifier: Apache-2.0
// Logarithms of sizes.
#ifndef HEDDLE_CONTRACT_LOG2_H
#define HEDDLE_CONTRACT_LOG2_H

#include <stdint.h>

// The smallest n for which 2^n is at least `number`: 0 to 32. Of 0 it is 0.
static inline uint32_t heddle_log2_ceiling(uint32_t number) {
  uint32_t log2 = 0;
  while (log2 < 32 && (UINT64_C(1) << log2) < number)
    log2++;
  return log2;
}

#endif
