// SPDX-License-Identifier: Apache-2.0
// What --fit searches (fit.h): what fit.c finds for each kernel, and fit_choice.c chooses from.
#ifndef HEDDLE_HLS_PIPELINE_FIT_SEARCH_H
#define HEDDLE_HLS_PIPELINE_FIT_SEARCH_H

#include "hls/pipeline/fit.h"
#include "hls/pipeline/graph.h"
#include "hls/pipeline/pipeline.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/shifts.h"

// A larger pipeline is worth its room if it takes at most this part of the smaller one's cycles.
#define FIT_WORTH 0.98

// A pipeline that was generated.
struct base {
  struct fit_shape shape;         // of one copy
  unsigned multipliers;           // of the board, for all copies together
  struct pipeline_result result;  // without its sites
  struct rates rates;
};

// So many copies of a base.
struct option {
  const struct base *base;
  unsigned units;
  double cycles, part;  // part: the largest fraction that it takes of any resource left on the board
  unsigned limit;       // *limit of rates_cycles
};

// What there is to choose from for a kernel, and the choice.
struct choices {
  struct fit_kernel *kernel;
  struct pipeline_pipe pipes[PIPELINE_MOST_PIPES];  // of a kernel of a chain
  unsigned pipe_count;
  struct base *bases;
  size_t base_count, generated, most_generated;  // not all pipelines that are generated become bases
  struct option *options;
  size_t option_count;
  const struct option *chosen;
};

struct search {
  struct variants *variants;
  const struct variant *variant;  // the one that the kernels come from
  const struct options *options;
  const struct chain_links *links;
  unsigned chain_slots_log2;  // of all kernels of chains
  unsigned joined;            // kernels that are of another one's unit
  bool *refused;              // by the caller's numbers of the kernels: it cannot be hardware
  bool is_told;               // that has been explained
  struct fit *fit;
  struct choices *choices;
  unsigned least_items;  // work-items of the work-groups that every choice has to have room for
};

// The room of `units` copies of a base.
struct heddle_room fit_times(const struct base *base, unsigned units);

// fit_choice.c. Chooses an option for each kernel. False: none fit together.
bool fit_search_choose(struct search *s);

#endif
