// SPDX-License-Identifier: Apache-2.0
// What a segment's end takes: shared by the schedule, which asks for it, and by the Verilog, which wires it.
#ifndef HEDDLE_HLS_PIPELINE_SCHEDULE_H
#define HEDDLE_HLS_PIPELINE_SCHEDULE_H

#include "hls/pipeline/graph.h"

enum { MOST_ACCESSES = 64 };

// The accesses of a memory group: what is different of them, and which each has.
struct accesses {
  unsigned count;
  unsigned root_count, mask_count, data_count;
  struct node *roots[MOST_ACCESSES], *masks[MOST_ACCESSES], *datas[MOST_ACCESSES];
  bool any[MOST_ACCESSES];  // of a mask: one access for the token, if a lane wants it
  unsigned root[MOST_ACCESSES], mask[MOST_ACCESSES], data[MOST_ACCESSES];
  uint32_t offset[MOST_ACCESSES];
};
void schedule_accesses(const struct segment *segment, struct accesses *accesses);

// What is wanted at a segment's last stage. Returns the number; at most `room` are written.
unsigned schedule_ends(const struct segment *segment, struct node **nodes, unsigned room);

// Whether tokens of a loop change places with those that wait: their first values then have stores of their own.
bool schedule_is_fair(const struct region *loop);

// Where the values of a loop that outer regions use are written: the segment and stage.
const struct segment *schedule_out_segment(const struct node *out);
unsigned schedule_out_stage(const struct node *out);

// Whether a value comes from a slot store in a segment.
bool schedule_is_read(const struct segment *segment, const struct node *node);

#endif
