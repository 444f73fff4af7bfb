// SPDX-License-Identifier: Apache-2.0
// Strides: how much a value grows from one lane to the next, and what its lowest bits are in the first lane.
#ifndef HEDDLE_HLS_PIPELINE_STRIDES_H
#define HEDDLE_HLS_PIPELINE_STRIDES_H

#include "hls/pipeline/graph.h"

// The stride in most dispatches: the width of work-groups is taken to be a multiple of the lanes. False: not known.
bool stride_is_likely(const struct node *node, int64_t *stride);
// The stride of the lowest `bits` bits of a value, which holds in every dispatch and for every active lane. False: not
// known.
bool stride_is_sure(const struct graph *graph, const struct node *node, unsigned bits, int64_t *stride);

// The lowest bits of the first lane's value that are the same in every dispatch, whether that lane is active or not.
// Returns how many are known, 0 to 32, and sets *low to them.
unsigned stride_first_lane(const struct graph *graph, const struct node *node, uint32_t *low);

#endif
