// SPDX-License-Identifier: Apache-2.0
// Hazards between rounds that overlap: where accesses of different rounds may meet, and nobody can tell before the
// kernel runs whether they do, the circuit compares addresses (rtl/pipeline/hazards.v). A round waits for one in front
// of it only if both come to the same word of memory, or element of an array.
#ifndef HEDDLE_HLS_PIPELINE_HAZARDS_H
#define HEDDLE_HLS_PIPELINE_HAZARDS_H

#include "hls/pipeline/graph.h"

// Gives loops that need it an OP_HAZARDS, in front of the first access that has to wait: its arguments are, for each
// word or element, its address or index, and whether the round claims and checks it. Before segments are cut, and
// behind graph_order_arrays.
void hazards_find(struct graph *graph);

// Whether the order of two accesses of a loop is kept by its OP_HAZARDS: `later` of a round waits for `earlier` of the
// rounds in front of it.
bool hazards_keep(const struct region *r, const struct node *earlier, const struct node *later);

// Whether it keeps the order of accesses of an array.
bool hazards_keep_array(const struct region *r, unsigned array);

// Takes them out of loops whose rounds do not overlap in their order. Returns whether there was one: then segments are
// to be cut again.
bool hazards_drop(struct graph *graph);

// What one compares.
struct hazards {
  unsigned words, claimed, checked;  // these two: of the words
  unsigned rounds_log2;              // of the rounds that may have gone on and not be over
};
struct hazards hazards_of(const struct graph *graph, const struct node *node);
// Which array word `word` is an element of: its number + 1; 0: memory.
unsigned hazards_array(const struct node *node, unsigned word);
// The last access that a round claims, once segments have their schedule: one of memory is made at the end of its
// segment, one of an array in a stage.
const struct node *hazards_last(const struct region *r);
// Of each word the arguments are these.
enum { HAZARDS_ADDRESS, HAZARDS_CLAIMS, HAZARDS_CHECKS, HAZARDS_PER_WORD };

#endif
