// SPDX-License-Identifier: Apache-2.0
// heddlec --fit: searches for the lanes, sub-groups in flight, unrolling, sharing of operators and copies that make
// kernels fastest together on a board. By the estimates of room and cycles, before any synthesis.
#ifndef HEDDLE_HLS_PIPELINE_FIT_H
#define HEDDLE_HLS_PIPELINE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "contract/boards.h"
#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/options.h"
#include "hls/pipeline/chain.h"
#include "hls/pipeline/variants.h"

// How a pipeline is made.
struct fit_shape {
  unsigned lanes, slots_log2, units;  // units: copies of it
  unsigned unroll;                    // rounds in one of innermost loops; 1: as the source has them
  unsigned port_words;                // of an access of memory, at most; 0: as many as are of use
  unsigned share;                     // cycles between sub-groups that sharing operators may cost; 0: none
};

// The number of copies that is asked for a kernel's pipeline: by options, else by the source (hls/kernel_hints.h), else
// one for a kernel of one work-item; 0: none is asked for. Numbers above MOST_COPIES become MOST_COPIES + 1.
unsigned fit_copies_asked(const struct options *options, const struct kernel *kernel);

enum { FIT_END_BYTES = 96 };

// A row of the table.
struct fit_candidate {
  struct fit_shape shape;
  struct heddle_room room;           // of all copies
  unsigned work_group_items, words;  // words: of an access of memory
  double cycles;                     // of the dispatch
  char end[FIT_END_BYTES];           // what limits it, or what there is too little of
  bool fits, is_chosen;
};

struct fit_kernel {
  const struct kernel *kernel;
  struct fit_candidate *items;
  size_t count;
  unsigned work_items;           // of the dispatch
  struct fit_shape shape;        // the choice
  struct fit_candidate *chosen;  // its row
};

struct fit {
  const struct heddle_board *board;
  struct heddle_room left;    // of the board, for all pipelines
  struct heddle_room chains;  // what chains have around their kernels, which is not of `left`
  bool is_beside_unit;
  unsigned multipliers;  // for each kernel (shifts.h)
  struct fit_kernel *kernels;
  size_t count;
  size_t generated;  // pipelines that were made and estimated
};

// The number of rounds to assume of a loop where it is not known.
enum { FIT_ROUNDS = 16 };

// Generates about 30 pipelines at most, and chooses a shape for each of `count` kernels, which are of the variant
// `base`: those with the least sum of the cycles of one dispatch of each. What the options fix (lanes, slots, copies,
// unrolling, sharing) stays. Kernels of chains, which `links` says, are made with their pipes, once and with the same
// slots; what is around them is taken from the board. Kernels that cannot be hardware are explained on stderr and get
// shapes[i].lanes 0. STATUS_REJECTED: no pipelines fit, explained on stderr with the smallest ones. *fit lives until
// the process ends.
enum status fit_choose(struct variants *variants, const struct variant *base, const struct options *options,
                       const struct chain_links *links, const struct kernel *const *kernels, size_t count,
                       struct fit_shape *shapes, struct fit *fit);

// The candidates, and why the choice is what it is: as text, and as a section of an HTML page.
void fit_text(const struct fit *fit, FILE *out);
void fit_page(const struct fit *fit, FILE *out);
// "4 lanes, 64 slots, shared operators, 2 copies".
void fit_write_shape(const struct fit_shape *shape, FILE *out);

#endif
