// SPDX-License-Identifier: Apache-2.0
// The room (resources) of a pipeline on an ECP5, estimated before any synthesis: in total, by part and by source line.
// From measurements of each part (cost.c, docs/results/pipelines.md).
#ifndef HEDDLE_HLS_PIPELINE_ESTIMATE_H
#define HEDDLE_HLS_PIPELINE_ESTIMATE_H

#include "contract/boards.h"
#include "hls/pipeline/graph.h"

// LUT4 as nextpnr packs them, flip-flops, block RAMs of 18 kbit, multipliers of 18 x 18 bits.
struct room {
  double lut, ff, ebr, dsp;
};

enum estimate_part {
  PART_UNIT,      // launch of sub-groups, packet, fault record
  PART_PORT,      // the memory port, its coalescer, local memory
  PART_GROUPS,    // memory groups with their queues
  PART_ORDINARY,  // operations
  PART_STORES,    // values kept by slot
  PART_DELAYS,    // values kept for a few stages
  PART_ARRAYS,    // arrays in private memory that have memories of their own
  PART_RINGS,
  PART_BARRIERS,
  PART_DISPATCH,  // what is computed once a dispatch
  PART_COUNT,
};

struct estimate {
  struct room total;  // of the whole unit
  struct room parts[PART_COUNT];
  struct room *lines;  // by line of the source; [0]: what belongs to none
  unsigned line_count;
};
// Lives until the process ends, like the graph.
struct estimate estimate_room(const struct graph *graph);
// All of it as one figure, in LUT4: to compare ways to make a kernel.
double estimate_size(const struct graph *graph);
// How many copies there are of module `number` of the graph's (verilog_functions.h), and in words what it is.
unsigned estimate_modules(const struct graph *graph, unsigned number);
enum { ESTIMATE_MODULE_BYTES = 256 };
void estimate_module_text(const struct graph *graph, unsigned number, char text[ESTIMATE_MODULE_BYTES]);
// What a part is called in a report.
const char *estimate_part_name(enum estimate_part part);

// The room of `units` copies, rounded up to whole LUTs and so on, for comparison with a board.
struct heddle_room estimate_whole(const struct room *room, unsigned units);
// The resource that a board has too little of for a device with these pipelines alone; NULL: it fits.
const char *estimate_lacks(const struct heddle_room *wanted, const struct heddle_board *board);

#endif
