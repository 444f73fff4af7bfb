// SPDX-License-Identifier: Apache-2.0
// Boards that Heddle has bitstreams for, as those who make and load hardware see them: heddlec asks whether kernel
// pipelines fit, fat binaries and `heddle flash` name them. constraints/*/BOARD.json say how their bitstreams are made;
// tests/boards compares the two.
#ifndef HEDDLE_BOARDS_H
#define HEDDLE_BOARDS_H

#include <stddef.h>

// What a chip has, or a part of a design takes: LUT4 as nextpnr packs them for ECP5, flip-flops, block RAMs,
// multipliers.
struct heddle_room {
  unsigned lut4, ff, ebr, dsp;
};

struct heddle_board {
  const char *name;
  // How its USB product string begins, by which the board at hand is known; NULL: it says too little.
  const char *product;
  struct heddle_room chip;
  // What of it the rest of the device takes: of one with pipelines alone, and beside a programmable unit. Zeros: the
  // board has no room for pipelines.
  struct heddle_room alone, beside;
};

extern const struct heddle_board heddle_boards[];
extern const size_t heddle_board_count;

// The board of that name; NULL: there is none.
const struct heddle_board *heddle_board_find(const char *name);

// What is left for pipelines: of a chip's LUTs and flip-flops nine tenths can be used, since routing wants room.
// `rest` is one of the board's two.
struct heddle_room heddle_board_left(const struct heddle_board *board, const struct heddle_room *rest);

// The room of two things together.
struct heddle_room heddle_room_sum(const struct heddle_room *one, const struct heddle_room *other);

// The room of so many copies of what takes `room`.
struct heddle_room heddle_room_times(const struct heddle_room *room, unsigned copies);

// What there is too little of in `left` for `wanted`, in words: "LUT4", "flip-flops", "block RAMs", "multipliers".
// NULL: nothing.
const char *heddle_room_lacks(const struct heddle_room *wanted, const struct heddle_room *left);

// The names of all boards, in one line, separated by ", ", for messages.
const char *heddle_board_names(char *text, size_t size);

#endif
