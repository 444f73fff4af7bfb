// SPDX-License-Identifier: Apache-2.0
// Loads that read through lines on the chip, of which each lane of each slot keeps one (rtl/pipeline/lane_lines.v).
#ifndef HEDDLE_HLS_PIPELINE_LINES_H
#define HEDDLE_HLS_PIPELINE_LINES_H

#include "hls/pipeline/graph.h"
#include "hls/pipeline/trials.h"

// Adds to `found` the loads of a loop with which each lane walks through memory of its own, in streams of neighbouring
// words, and numbers these. They are none that `found` has already. `places` and `next` are those of a round and of the
// one after it; `rounds` how many there are, as far as is known.
void lines_find(const struct graph *graph, const struct region *loop, double rounds, const struct place *places,
                const struct place *next, unsigned *streams, struct list *found);
// They are ordinary loads after all.
void lines_forget(struct list *found);
// Puts loads of a stream behind each other, by address, in a part of a region whose order does not matter.
void lines_gather(struct region *r, unsigned begin, unsigned end, struct list *nodes);

#endif
