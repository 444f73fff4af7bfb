// SPDX-License-Identifier: Apache-2.0
// How many words an access of the memory port has. As many as there are lanes, usually. Of few lanes the port would
// give each its word a cycle and leave most of a beat of memory idle, so where their words have neighbours (vectors,
// structs, rounds in one) and the port is what takes longest, it has more.
#ifndef HEDDLE_HLS_PIPELINE_PORT_H
#define HEDDLE_HLS_PIPELINE_PORT_H

#include "hls/pipeline/graph.h"

enum { PORT_MOST_WORDS = 4 };  // of the smallest beat that devices have

void port_set(struct graph *graph, unsigned words);

// The words for a graph that has been scheduled, at most `most`; 0: PORT_MOST_WORDS. A power of two.
unsigned port_words(struct graph *graph, unsigned most);

#endif
