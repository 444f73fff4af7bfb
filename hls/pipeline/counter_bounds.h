// SPDX-License-Identifier: Apache-2.0
// The numbers that counters of loops go through, where they go by 1: for linear sums (linear.h).
#ifndef HEDDLE_HLS_PIPELINE_COUNTER_BOUNDS_H
#define HEDDLE_HLS_PIPELINE_COUNTER_BOUNDS_H

#include "hls/pipeline/linear.h"

// What they are wanted for: loop `r`, and a use in `innermost`, which `is_sure` as linear_of has it.
struct counters {
  const struct region *r, *innermost;
  bool is_sure;
  unsigned *steps;          // of the search that are left
  const struct node *rows;  // the number that the counter of `r` is multiplied with; NULL: there is none
};

// Whether a value is the same in all rounds of a loop.
bool counter_bounds_is_fixed(const struct region *r, const struct node *node);

// A counter times a factor, 1 or more: from *term's least to its most and `wide` times *found, which is the same in all
// rounds of `r` and 1 or more. Another one than *found, unless that is NULL, is none.
bool counter_bounds_find(const struct counters *of, const struct node *phi, int64_t factor, struct linear_term *term,
                         const struct node **found);

// Whether a counter goes through numbers in their order, from a small one on or down to one.
bool counter_bounds_in_order(const struct node *phi);

#endif
