// SPDX-License-Identifier: Apache-2.0
// What --fit searches (fit.h): what fit.c finds for each kernel, and fit_choice.c chooses from.
#ifndef HEDDLE_HLS_PIPELINE_FIT_SEARCH_H
#define HEDDLE_HLS_PIPELINE_FIT_SEARCH_H

#include "hls/pipeline/fit.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/shifts.h"

#define FIT_WORTH 0.98  // cycles of what is larger, of those of what is smaller: else it is not worth its room

// A pipeline that was generated.
struct base {
  struct fit_shape shape;  // of one copy
  struct shifts_rooms rooms;
  unsigned multipliers;  // that are for all copies
  unsigned work_group_items;
  struct graph *graph;
  struct rates rates;
};

// So many copies of a base.
struct option {
  const struct base *base;
  unsigned units;
  double cycles, part;  // part: of what the board has left, of that which it takes most of
  unsigned limit;       // rates_cycles
};

// What there is to choose from for a kernel, and the choice.
struct choices {
  struct fit_kernel *kernel;
  struct base *bases;
  size_t base_count, generated, most_generated;  // not all that are generated stay
  struct option *options;
  size_t option_count;
  const struct option *chosen;
};

struct search {
  struct variants *variants;
  const struct variant *variant;  // that the kernels are of
  const struct options *options;
  struct fit *fit;
  struct choices *choices;
  unsigned least_items;  // of a work-group that a choice has room for
};

// The room of so many copies.
struct heddle_room fit_times(const struct base *base, unsigned units);

// Chooses for each kernel; false: nothing fits together. fit_choice.c
bool fit_search_choose(struct search *s);

#endif
