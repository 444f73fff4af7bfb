// SPDX-License-Identifier: Apache-2.0
// Whether float operators shift by multiplying by powers of two (MULTIPLIED_SHIFTS of rtl/pipeline/float_operator.v).
// That takes multipliers instead of LUTs, and costs a tenth of the clock (docs/decisions/pipeline-float-operators.md).
// It is done only where options name a board: boards run out of LUTs first, and then its multipliers are known.
#ifndef HEDDLE_HLS_PIPELINE_SHIFTS_H
#define HEDDLE_HLS_PIPELINE_SHIFTS_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/boards.h"
#include "hls/pipeline/graph.h"

// The room of one copy of a pipeline: [0] with ordinary shifts, [1] with products.
struct shifts_rooms {
  struct heddle_room with[2];
};
struct shifts_rooms shifts_rooms(struct graph *graph);

// Whether products are chosen. `multipliers`: how many all copies together may take; 0: no board is named.
bool shifts_are_products(const struct shifts_rooms *rooms, unsigned units, unsigned multipliers);

// The share of the board's multipliers for each of `kernels` kernels. At least 1.
unsigned shifts_multipliers(const struct heddle_room *left, size_t kernels);

#endif
