// SPDX-License-Identifier: Apache-2.0
// The rate of a pipeline, estimated before any synthesis: how many cycles a sub-group takes of each shared resource,
// how many rounds loops have, and which resource limits the rate. All results live until the process ends, as the
// graph.
#ifndef HEDDLE_HLS_PIPELINE_RATES_H
#define HEDDLE_HLS_PIPELINE_RATES_H

#include "hls/pipeline/graph.h"

// How the addresses of an access differ from lane to lane.
struct pattern {
  bool is_known;
  int64_t stride;  // bytes from a lane to the next; 0: the same for all
  unsigned rows;   // rows of 16 bytes that an access takes; the most possible where the pattern is not known
};
// The pattern of an OP_LOAD, OP_STORE or OP_ATOMIC.
struct pattern rates_pattern(const struct graph *graph, const struct node *access);

// Cycles of a dispatch in front of its first sub-group and behind its last one.
enum { RATES_START_CYCLES = 200 };

// Rounds of a loop, if they are the same for every work-item and can be told from the source; else 0.
unsigned rates_rounds(const struct region *loop);

// A resource that the sub-groups in a copy of the pipeline share: they take it one after the other.
struct rate {
  const char *name;              // "memory port", "ring"
  const struct region *ring;     // the loop whose ring it is; else NULL
  const struct array *array;     // the local array whose stores take it; else NULL
  const struct segment *window;  // the loads whose window it is; else NULL
  bool is_of_port;               // it is the memory port
  bool is_of_sharing;            // it is float operators that lanes share
  bool is_of_device;             // all copies of the pipeline share it, too: rows of memory
  double *cycles;                // cycles a sub-group takes of it in one pass through a region, by the region's id
};
struct rates {
  struct rate *items;
  unsigned count;
  unsigned *rounds;  // by region: as rates_rounds has it; 1 for the kernel's body
  double *latency;   // by region: cycles of one pass of a sub-group; memory as on the bench's device
};
struct rates rates_of(const struct graph *graph);

// The number of rounds to assume of a loop where it is not known: `guess` for each loop of the source that it is made
// of.
double rates_guess(const struct region *loop, double guess);
// How often a region is passed in a dispatch of one sub-group: its rounds times those of the loops around it.
double rates_times(const struct rates *rates, const struct region *region, double guess);
// Cycles that a sub-group takes of a resource in a dispatch.
double rates_use(const struct graph *graph, const struct rates *rates, const struct rate *rate, double guess);
// How many of a resource the device has: one for each copy of the pipeline, or one for each bank of the cache.
unsigned rates_copies(const struct graph *graph, const struct rate *rate);
// The index (as *limit of rates_cycles) that stands for the pipeline's latency: no sub-group follows another one.
unsigned rates_latency(const struct rates *rates);
// Writes how far the rounds of a loop are apart, or why they do not overlap: "the loop of line 3 overlap: ...". False:
// the kernel has more than one work-item at a time.
enum { RATES_ROUNDS_BYTES = 640 };
bool rates_rounds_text(const struct graph *graph, const struct region *loop, char text[RATES_ROUNDS_BYTES]);
// Writes what limits the rate, by *limit of rates_cycles: "ring of the loop of line 3".
enum { RATES_NAME_BYTES = 64 };
void rates_name(const struct rates *rates, unsigned limit, char name[RATES_NAME_BYTES]);
// The number of work-items to assume of a dispatch: `asked`, unless that is 0; else 4,096, or 1 if no work-item asks
// for its id, so that a second one would do what the first one did.
unsigned rates_work_items(const struct graph *graph, unsigned asked);
// Estimates the cycles of a dispatch that all copies of the pipeline share. *limit: the index of the resource that
// limits the rate; rates->count: the sub-groups in flight limit it; or rates_latency.
double rates_cycles(const struct graph *graph, const struct rates *rates, double work_items, double guess,
                    unsigned *limit);
// The same of a usual dispatch: to compare ways to make a kernel.
double rates_usual_cycles(const struct graph *graph);

#endif
