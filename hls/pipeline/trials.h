// SPDX-License-Identifier: Apache-2.0
// Where accesses go is tried, with numbers in place of what a kernel gets to know only when it runs.
#ifndef HEDDLE_HLS_PIPELINE_TRIALS_H
#define HEDDLE_HLS_PIPELINE_TRIALS_H

#include "hls/pipeline/graph.h"

enum { TRIALS = 4, TRIALS_MOST_LANES = 8 };

struct place {
  uint32_t lanes[TRIALS][TRIALS_MOST_LANES];  // addresses
  bool active[TRIALS][TRIALS_MOST_LANES];
};

// An access of memory: those of local arrays with memories of their own are none.
bool trials_is_access(const struct node *node);
// Where all accesses of a region go, and of all regions for NULL; `is_next`: in the next round of the region's loop. By
// their ids. Whoever calls frees it.
struct place *trials_places(const struct graph *graph, const struct region *r, bool is_next);

#endif
