// SPDX-License-Identifier: Apache-2.0
// Loop pipelining: the rounds (iterations) of a loop overlap, as the next one starts before the one in front of it has
// ended. For kernels with one work-item in a work-group that does not ask for its id: no other work-items could fill
// the pipeline meanwhile. `interval` of a region is the initiation interval.
#ifndef HEDDLE_HLS_PIPELINE_OVERLAP_H
#define HEDDLE_HLS_PIPELINE_OVERLAP_H

#include "hls/pipeline/graph.h"

// Whether one work-item at a time may be in the pipeline: overlap_may_be_of_one looks at lanes and work-groups alone,
// overlap_is_of_one at the operations, too. It is so (graph->is_of_one) where rounds of a loop overlap, or private
// arrays have room for one work-item alone.
bool overlap_may_be_of_one(const struct graph *graph);
bool overlap_is_of_one(const struct graph *graph);

// Values that a round can make first, without an access to memory or a loop in it.
struct overlap_early {
  const struct region *r;
  bool *is;  // by number of a node; released with free
  unsigned steps;
};
struct overlap_early overlap_early_open(const struct graph *graph, const struct region *r);
// Marks what a value is made of, around the loop, too. False: it cannot be made first.
bool overlap_mark_early(struct overlap_early *e, const struct node *node);

// Which values, by number of a node, say whether another round follows, or are made into what does: rounds that overlap
// make them first. NULL: an access to memory is part of it.
const bool *overlap_early(const struct graph *graph, const struct region *r);

// Whether an operation may be in a loop whose rounds overlap. Loops in it may not.
bool overlap_is_simple(const struct node *node);

// Finds such loops. Regions have their segments by then, and operations their earliest ones. Sets `overlaps` and
// `why_not` of each region, and `is_state` of carried values.
void overlap_find(struct graph *graph);

#endif
