// SPDX-License-Identifier: Apache-2.0
// Totals of what the rounds of a loop give, which are the same in whatever order rounds come: sums of integers, the
// least or largest, bits that are set or turned.
#ifndef HEDDLE_HLS_PIPELINE_TOTALS_H
#define HEDDLE_HLS_PIPELINE_TOTALS_H

#include "hls/pipeline/graph.h"

// Whether a carried value is one: a round makes what it carries on of it by one operator that is commutative and
// associative, and takes it for nothing else.
bool totals_is(const struct graph *graph, const struct node *phi);
// Whether an OP_OUT gives a total of all rounds.
bool totals_leaves(const struct graph *graph, const struct node *out);
// Moves a total, and what a round makes of it, to the segment that has the last of it, and makes it a state there.
void totals_place(struct node *phi);

#endif
