// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_HLS_IL_NEEDLESS_H
#define HEDDLE_HLS_IL_NEEDLESS_H

#include "hls/il_module.h"

// What clang's back end for SPIR-V writes of valid OpenCL C, and the translator gives up on: conversions to the type
// that a value has, OpAny and OpAll of one value, and alignments of 128 as a number of 8 bits with a sign.

// Writes such an instruction as what is meant, at the end of the list. False: it is another one.
bool needless_write(struct rewrite *r, const uint32_t *at, struct list *list);

#endif
