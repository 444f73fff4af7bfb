// SPDX-License-Identifier: Apache-2.0
// Addresses of accesses by trial: the graph is evaluated with numbers in place of what only a dispatch knows
// (arguments, loaded words).
#ifndef HEDDLE_HLS_PIPELINE_TRIALS_H
#define HEDDLE_HLS_PIPELINE_TRIALS_H

#include "hls/pipeline/graph.h"

enum { TRIALS = 4, TRIALS_MOST_LANES = 8 };

// Where an access goes, in each trial and lane.
struct place {
  uint32_t lanes[TRIALS][TRIALS_MOST_LANES];  // addresses
  bool active[TRIALS][TRIALS_MOST_LANES];
};

// Whether a node accesses memory through the port. Accesses of arrays that have memories of their own do not.
bool trials_is_access(const struct node *node);
// Where the accesses of a region go (of all regions, if r is NULL), by the nodes' ids. `is_next`: in the round after
// that one of the region's loop. The caller frees the array.
struct place *trials_places(const struct graph *graph, const struct region *r, bool is_next);

#endif
