// SPDX-License-Identifier: Apache-2.0
// The width of the memory port: words that one access moves. Usually one for each lane. Where lanes are few, that
// leaves most of a beat of memory idle. The port is wider where the lanes access neighbouring words (vectors,
// structures, several rounds in one) and the port is what limits the pipeline.
#ifndef HEDDLE_HLS_PIPELINE_PORT_H
#define HEDDLE_HLS_PIPELINE_PORT_H

#include "hls/pipeline/graph.h"

enum { PORT_MOST_WORDS = 4 };  // of the smallest beat that devices have

// Sets the width: a power of two, at least the lanes.
void port_set(struct graph *graph, unsigned words);

// The width that is best for a graph that has been scheduled, a power of two up to `most` (0: PORT_MOST_WORDS).
unsigned port_words(struct graph *graph, unsigned most);

#endif
