// SPDX-License-Identifier: Apache-2.0
// Windows: words on the chip that loads read several times (rtl/pipeline/load_window.v, lane_lines.v).
#ifndef HEDDLE_HLS_PIPELINE_WINDOWS_H
#define HEDDLE_HLS_PIPELINE_WINDOWS_H

#include "hls/pipeline/graph.h"

// Whether the memory port limits the pipeline, so that windows are worth their room. Needs segments.
bool windows_are_worth_it(const struct graph *graph);
// Marks loads that read through windows, and puts those of one window next to each other. Needs classes; to be called
// before segments are made. False: there are none.
bool windows_find(struct graph *graph);
// Passes of a window that a token takes, as far as is known: its loads come in the order of their addresses.
unsigned windows_passes(const struct graph *graph, const struct segment *s);
// Whether windows keep an operation's place among the others of its region.
bool windows_keep_order(const struct node *node);
// How many words a window has.
unsigned windows_words(const struct graph *graph);

#endif
