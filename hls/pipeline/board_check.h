// SPDX-License-Identifier: Apache-2.0
// Whether pipelines fit on the board that options name, by their estimates, and what to do where they do not.
#ifndef HEDDLE_HLS_PIPELINE_BOARD_CHECK_H
#define HEDDLE_HLS_PIPELINE_BOARD_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/boards.h"
#include "hls/options.h"
#include "hls/pipeline/folder.h"

// What the board has left for pipelines, beside its programmable unit or without one, as options->beside_unit says.
struct heddle_room board_check_left(const struct options *options, const struct heddle_board *board);

// What all of them take together, with what chains have around them.
struct heddle_room board_check_sum(const struct folder_kernel *made, size_t count);

// STATUS_REJECTED, explained on stderr, unless all of them fit on options->board together.
enum status board_check(const struct options *options, const struct folder_kernel *made, size_t count);

// False, explained on stderr, of a board that has no room for any pipeline; `room` is what is wanted.
bool board_check_holds_any(const struct options *options, const struct heddle_board *board,
                           const struct heddle_room *room);

// What of pipelines could still be smaller; zeros: nothing.
struct board_smaller {
  unsigned lanes, units, slots;  // the most that one has
  bool has_wide_port;            // of more words than lanes
  size_t kernels;
};

// Ends a sentence on stderr with what the board has too little of for `room`, and says what helps.
void board_check_tell_lacks(const struct options *options, const struct heddle_board *board,
                            const struct heddle_room *room, const struct board_smaller *smaller);

#endif
