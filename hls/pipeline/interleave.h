// SPDX-License-Identifier: Apache-2.0
// Loop interleaving: of a loop with loops in it, whose rounds do not need each other, many rounds are under way at
// once, each in a slot of its own, and fill the loops in it together. They end in any order. For kernels of one
// work-item, where no other work-items could fill them.
#ifndef HEDDLE_HLS_PIPELINE_INTERLEAVE_H
#define HEDDLE_HLS_PIPELINE_INTERLEAVE_H

#include "hls/pipeline/graph.h"

// Finds such loops, the innermost ones that have loops in them first, and sets `overlaps` and `any_order` of each, and
// `why_not` of the loops in it. Regions have their segments by then.
void interleave_find(struct graph *graph);

// Whether there is such a loop.
bool interleave_may(const struct graph *graph);

// Why rounds of a loop are not interleaved, as a part of a sentence. NULL: it has no loop in it, or they are.
const char *interleave_against(const struct graph *graph, const struct region *loop);

// The loop whose rounds overlap that a region is, or is in; NULL: none.
const struct region *interleave_around(const struct region *r);

// What it is worth it for: cycles, of those that the kernel takes without. They are a guess, as nobody knows how many
// rounds a loop has: of few the longest one counts.
#define INTERLEAVE_WORTH 0.9

// Whether it has been done.
bool interleave_is_done(const struct graph *graph);

#endif
