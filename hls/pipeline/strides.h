// SPDX-License-Identifier: Apache-2.0
// By how much a value grows from a lane to the next, and what its lowest bits are in the first one.
#ifndef HEDDLE_HLS_PIPELINE_STRIDES_H
#define HEDDLE_HLS_PIPELINE_STRIDES_H

#include "hls/pipeline/graph.h"

// What most dispatches make of it: work-groups are taken to be a multiple of the lanes wide. False: it is not known.
bool stride_is_likely(const struct node *node, int64_t *stride);
// What holds in every dispatch and for every lane at work, of the lowest `bits` bits of the value.
bool stride_is_sure(const struct graph *graph, const struct node *node, unsigned bits, int64_t *stride);

// What holds in every dispatch of the value that the first lane has, be it at work or not: its lowest bits. Returns how
// many are known, up to 32; *low is them.
unsigned stride_first_lane(const struct graph *graph, const struct node *node, uint32_t *low);

#endif
