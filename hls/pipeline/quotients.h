// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders by constants, which need no divider.
#ifndef HEDDLE_HLS_PIPELINE_QUOTIENTS_H
#define HEDDLE_HLS_PIPELINE_QUOTIENTS_H

#include "hls/pipeline/build.h"

// x / y, or x % y where `remainder`, of unsigned numbers. NULL where y is no constant or is 0, or the numbers have more
// than 32 bits.
struct node *quotient_by_constant(struct builder *b, struct node *x, const struct node *y, bool remainder);

#endif
