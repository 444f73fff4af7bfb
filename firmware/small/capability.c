// SPDX-License-Identifier: Apache-2.0
// The capability block of a small device, at the beginning of its memory.
#include "contract/version.h"
#include "firmware/small/small.h"

enum { WORDS = 0x80 / 4, CONTRACT = HEDDLE_CONTRACT_VERSION };
#define AT(offset) [(offset) / 4]

// "rv32i_zicsr"
__attribute__((section(".capability"), used)) const uint32_t capability[WORDS] = {
    AT(HEDDLE_REG_MAGIC) = HEDDLE_MAGIC,
    AT(HEDDLE_REG_VERSION) = CONTRACT,
    AT(HEDDLE_REG_LANES) = LANES,
    AT(HEDDLE_REG_SLOTS) = SLOTS,
    AT(HEDDLE_REG_UNITS) = 1,
    AT(HEDDLE_REG_LOCAL_MEMORY_BYTES) = LOCAL_BYTES,
    AT(HEDDLE_REG_GLOBAL_BYTES) = SMALL_GLOBAL_BYTES,
    AT(HEDDLE_REG_LINE_BYTES) = LINE_BYTES,
    AT(HEDDLE_REG_CLOCK_KHZ) = SMALL_CLOCK_KHZ,
    AT(HEDDLE_REG_FEATURES) = (uint32_t)HEDDLE_VERSION_NUMBER << HEDDLE_FEATURE_VERSION_SHIFT,
    AT(HEDDLE_REG_FIRST_GLOBAL) = HEDDLE_GLOBAL_FIRST,
    AT(HEDDLE_REG_ISA) = 0x32337672,
    AT(HEDDLE_REG_ISA + 4) = 0x697A5F69,
    AT(HEDDLE_REG_ISA + 8) = 0x00727363,
};
