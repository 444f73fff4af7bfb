// SPDX-License-Identifier: Apache-2.0
// How large values of the graph may be, which zeros they end with, and how far counters count.
#ifndef HEDDLE_HLS_PIPELINE_MAGNITUDES_H
#define HEDDLE_HLS_PIPELINE_MAGNITUDES_H

#include "hls/pipeline/graph.h"

// The largest value, as a number without a sign; MAGNITUDE_UNKNOWN: it may have all its 32 or more bits.
#define MAGNITUDE_UNKNOWN UINT64_MAX
uint64_t magnitude_most(const struct node *node);

// The smallest value, as a number without a sign.
uint64_t magnitude_least(const struct node *node);

// Zeros that a value is known to end with; 32 at most.
unsigned magnitude_low_zeros(const struct node *node);

// By how much a sum is larger than a counter; 0: it is no sum of it and a constant.
int64_t magnitude_step(const struct node *sum, const struct node *phi);

// By how much a counter is larger from a round to the next; 0: it is none.
int64_t magnitude_step_of(const struct node *phi);

// What a loop's counter that goes up by 1 is compared with, and how: the loop goes on until it has come to that and
// `more` (OP_EQ), or while its next step is less (OP_ULT, OP_SLT). NULL: it is not known.
struct counter_end {
  const struct node *number;
  unsigned more;
  enum op by;
  bool is_alone;  // it ends for no other reason
};

struct counter_end magnitude_end_of(const struct node *phi);

// The least number of a loop's counter that goes down by 1, if it begins at that or above. False: it is not known.
struct counter_floor {
  int64_t least;  // 0 or more
  enum op by;     // OP_EQ: it ends there, and from below it would come to all numbers
  bool is_alone;
};
bool magnitude_floor_of(const struct node *phi, struct counter_floor *floor);

// Rounds of a loop, at most; 0: that is not known.
uint64_t magnitude_rounds(const struct region *loop);

// Whether a value is another one and a number from 0 to *most, as of a counter that goes on now and then.
bool magnitude_growth(const struct node *value, const struct node *from, uint64_t *most);

#endif
