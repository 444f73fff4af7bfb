// SPDX-License-Identifier: Apache-2.0
// Operations on specialization constants that the translator stops at: OpFNegate and OpFMod. For il_rewrite.c alone.
#ifndef HEDDLE_HLS_IL_CONSTANTS_H
#define HEDDLE_HLS_IL_CONSTANTS_H

#include <stdbool.h>

#include "hls/il_module.h"

// Writes an OpSpecConstantOp of these as others, or as what it comes to: specialization constants have their values by
// then. False: the instruction is another one, and nothing is written.
bool constants_write(struct rewrite *r, const uint32_t *at);

#endif
