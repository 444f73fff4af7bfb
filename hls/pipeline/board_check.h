// SPDX-License-Identifier: Apache-2.0
// Whether pipelines fit on the board that options name, by their estimates, and what to do where they do not.
#ifndef HEDDLE_HLS_PIPELINE_BOARD_CHECK_H
#define HEDDLE_HLS_PIPELINE_BOARD_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/boards.h"
#include "hls/options.h"
#include "hls/pipeline/folder.h"

// The room that a board has for pipelines, beside a programmable unit if options->beside_unit.
struct heddle_room board_check_left(const struct options *options, const struct heddle_board *board);

// The room of `count` pipelines together, with what chains have around theirs (chain_room.h).
struct heddle_room board_check_sum(const struct folder_kernel *made, size_t count);

// Checks that all pipelines fit on options->board together. STATUS_REJECTED, explained on stderr: they do not.
enum status board_check(const struct options *options, const struct folder_kernel *made, size_t count);

// Whether a board has room for any pipeline at all. False is explained on stderr. `room`: what is wanted there.
bool board_check_holds_any(const struct options *options, const struct heddle_board *board,
                           const struct heddle_room *room);

// In which ways some pipeline could still be made smaller. All zero: in none.
struct board_smaller {
  unsigned lanes, units, slots;  // the largest numbers that a pipeline has
  bool has_wide_port;            // the memory port of one has more words than lanes
  size_t kernels;
};

// Ends a sentence on stderr with the resources that the board has too little of for `room`, and advises what helps.
void board_check_tell_lacks(const struct options *options, const struct heddle_board *board,
                            const struct heddle_room *room, const struct board_smaller *smaller);

#endif
