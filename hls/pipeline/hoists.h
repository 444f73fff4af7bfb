// SPDX-License-Identifier: Apache-2.0
// Loads go in front of stores that are of other bytes, so that those of several rounds in one are one memory group, and
// their stores another one: fewer segments, and neighbours go together.
#ifndef HEDDLE_HLS_PIPELINE_HOISTS_H
#define HEDDLE_HLS_PIPELINE_HOISTS_H

#include "hls/pipeline/graph.h"

// Of one lane: among several a store may be what another one loads, behind a barrier of the sub-group.
void hoists_arrange(struct graph *graph);

#endif
