// SPDX-License-Identifier: Apache-2.0
// Whether shifts in float operators are products by powers of two (MULTIPLIED_SHIFTS of rtl/pipeline/float_operator.v),
// which take multipliers instead of LUTs, and a tenth of the clock (docs/decisions/pipeline-float-operators.md). So
// they are for a board, which lacks LUTs first, and whose multipliers are known.
#ifndef HEDDLE_HLS_PIPELINE_SHIFTS_H
#define HEDDLE_HLS_PIPELINE_SHIFTS_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/boards.h"
#include "hls/pipeline/graph.h"

// Of one copy: [0] without such products, [1] with them.
struct shifts_rooms {
  struct heddle_room with[2];
};
struct shifts_rooms shifts_rooms(struct graph *graph);

// `multipliers`: the most that all copies may have; 0: no board is named.
bool shifts_are_products(const struct shifts_rooms *rooms, unsigned units, unsigned multipliers);

// Those of a board's that are for each of so many kernels. Never 0.
unsigned shifts_multipliers(const struct heddle_room *left, size_t kernels);

#endif
