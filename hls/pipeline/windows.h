// SPDX-License-Identifier: Apache-2.0
// Loads that read through a window of words that stays on the chip.
#ifndef HEDDLE_HLS_PIPELINE_WINDOWS_H
#define HEDDLE_HLS_PIPELINE_WINDOWS_H

#include "hls/pipeline/graph.h"

// Whether the memory port keeps the pipeline back, so that windows are worth their room. Segments are known.
bool windows_are_worth_it(const struct graph *graph);
// Marks loads, and puts those of a window behind each other; classes are known, segments not yet. False: there are
// none.
bool windows_find(struct graph *graph);
// Passes that a token takes of a window, as far as can be told: its loads are in order.
unsigned windows_passes(const struct graph *graph, const struct segment *s);
// Whether an operation keeps its place among the others of its region.
bool windows_keep_order(const struct node *node);
// Words of a window.
unsigned windows_words(const struct graph *graph);

#endif
