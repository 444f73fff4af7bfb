// SPDX-License-Identifier: Apache-2.0
// Moves loads in front of stores that do not touch the same bytes. Several rounds in one then have one group of loads
// and one of stores: fewer segments, and accesses of neighbouring words go together.
#ifndef HEDDLE_HLS_PIPELINE_HOISTS_H
#define HEDDLE_HLS_PIPELINE_HOISTS_H

#include "hls/pipeline/graph.h"

// For graphs of one lane alone: with several lanes a store of one may be what another one loads, behind a barrier of
// the sub-group.
void hoists_arrange(struct graph *graph);

#endif
