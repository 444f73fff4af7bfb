// SPDX-License-Identifier: Apache-2.0
// How fast a pipeline is, told before any synthesis: what each sub-group takes of what all of them share, how often
// loops go around, and which of these limits the rate.
#ifndef HEDDLE_HLS_PIPELINE_RATES_H
#define HEDDLE_HLS_PIPELINE_RATES_H

#include "hls/pipeline/graph.h"

// How the addresses of an access differ from lane to lane.
struct pattern {
  bool is_known;
  int64_t stride;  // bytes from a lane to the next; 0: the same for all
  unsigned rows;   // of 16 bytes that an access takes; where the pattern is not known, the most
};
// Of OP_LOAD, OP_STORE and OP_ATOMIC.
struct pattern rates_pattern(const struct graph *graph, const struct node *access);

// Of a dispatch: from its packet to the first sub-group, and from the last to its end.
enum { RATES_START_CYCLES = 200 };

// Rounds of a loop, if they are the same for every work-item and can be told from the source; else 0.
unsigned rates_rounds(const struct region *loop);

// What the sub-groups in a copy of the pipeline share: they take it one after the other.
struct rate {
  const char *name;              // "memory port", "ring"
  const struct region *ring;     // of a loop; NULL for the others
  const struct array *array;     // whose stores these are; NULL for the others
  const struct segment *window;  // whose passes these are; NULL for the others
  bool is_of_port;               // of the memory port
  bool is_of_sharing;            // float operators that lanes share
  bool is_of_device;             // all copies of the pipeline share it, too: rows of memory
  unsigned *cycles;              // that a sub-group takes of it, by region (id): once, or in each round of the loop
};
struct rates {
  struct rate *items;
  unsigned count;
  unsigned *rounds;   // of each region, as rates_rounds has it; 1 for the kernel itself
  unsigned *latency;  // cycles of a sub-group through each region's segments, once; memory as on the bench's device
};
// Lives until the process ends, like the graph.
struct rates rates_of(const struct graph *graph);

// Rounds of a loop that are not known, where those of each loop of the source are `guess`.
double rates_guess(const struct region *loop, double guess);
// Rounds of a region and those around it together; `guess` stands for those that are not known.
double rates_times(const struct rates *rates, const struct region *region, double guess);
// Cycles that a sub-group takes of something.
double rates_use(const struct graph *graph, const struct rates *rates, const struct rate *rate, double guess);
// How many there are of it in the device: one for each copy of the pipeline, or for each bank of the cache.
unsigned rates_copies(const struct graph *graph, const struct rate *rate);
// The index of what limits where no sub-group follows another one in a copy: how long the pipeline is.
unsigned rates_latency(const struct rates *rates);
// Writes how far rounds of a loop are apart, or why they do not overlap: "the loop of line 3 overlap: ...". False: it
// is none of a kernel of one work-item.
enum { RATES_ROUNDS_BYTES = 512 };
bool rates_rounds_text(const struct region *loop, char text[RATES_ROUNDS_BYTES]);
// Writes what limits, by its index as rates_cycles has it: "ring of the loop of line 3".
enum { RATES_NAME_BYTES = 64 };
void rates_name(const struct rates *rates, unsigned limit, char name[RATES_NAME_BYTES]);
// How many work-items a dispatch of the kernel is taken to have: as many as are asked for; 0: 4,096, or one if
// work-items do not ask which one they are, so that a second one would do what the first one did.
unsigned rates_work_items(const struct graph *graph, unsigned asked);
// Cycles of a dispatch that all copies of the pipeline work at, about. Sets *limit to the index of what limits, or
// rates->count: sub-groups in flight.
double rates_cycles(const struct graph *graph, const struct rates *rates, double work_items, double guess,
                    unsigned *limit);

#endif
