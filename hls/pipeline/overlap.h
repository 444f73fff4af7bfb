// SPDX-License-Identifier: Apache-2.0
// Loops whose rounds overlap: the next round starts before the one in front of it has ended. Of kernels that are one
// work-item a work-group and do not ask which one, so that little else could be done meanwhile.
#ifndef HEDDLE_HLS_PIPELINE_OVERLAP_H
#define HEDDLE_HLS_PIPELINE_OVERLAP_H

#include "hls/pipeline/graph.h"

// Whether a kernel has one work-item at a time if that makes rounds of its loops overlap.
bool overlap_is_of_one(const struct graph *graph);

// Finds such loops, when regions are cut into segments and operations have their earliest ones: sets `overlaps` and
// `why_not` of each region, and `is_state` of values that loops carry.
void overlap_find(struct graph *graph);

#endif
