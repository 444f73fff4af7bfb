// SPDX-License-Identifier: Apache-2.0
// Lane lines: loads that read through a line of memory on the chip, which each lane of each slot has for itself
// (rtl/pipeline/lane_lines.v).
#ifndef HEDDLE_HLS_PIPELINE_LINES_H
#define HEDDLE_HLS_PIPELINE_LINES_H

#include "hls/pipeline/graph.h"
#include "hls/pipeline/trials.h"

// Finds the loads of a loop with which each lane walks through its own part of memory. Adds to `found` those that are
// not there yet, and numbers the streams of neighbouring words that they make, from *streams on. `places` and `next`:
// where accesses go in a round, and in the one after it (trials.h). `rounds`: how many rounds the loop has, about.
void lines_find(const struct graph *graph, const struct region *loop, double rounds, const struct place *places,
                const struct place *next, unsigned *streams, struct list *found);
// Makes them ordinary loads again.
void lines_forget(struct list *found);
// Puts the loads of each stream one after the other, by address, in nodes[begin] to nodes[end - 1], whose order does
// not matter otherwise.
void lines_gather(struct region *r, unsigned begin, unsigned end, struct list *nodes);

#endif
