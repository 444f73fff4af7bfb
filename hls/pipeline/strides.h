// SPDX-License-Identifier: Apache-2.0
// By how much a value grows from a lane to the next.
#ifndef HEDDLE_HLS_PIPELINE_STRIDES_H
#define HEDDLE_HLS_PIPELINE_STRIDES_H

#include "hls/pipeline/graph.h"

// What most dispatches make of it: work-groups are taken to be a multiple of the lanes wide. False: it is not known.
bool stride_is_likely(const struct node *node, int64_t *stride);
// What holds in every dispatch and for every lane at work, of the lowest `bits` bits of the value.
bool stride_is_sure(const struct graph *graph, const struct node *node, unsigned bits, int64_t *stride);

#endif
