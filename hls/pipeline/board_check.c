// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/board_check.h"

#include <stdio.h>

#include "hls/pipeline/chain_room.h"

struct heddle_room board_check_left(const struct options *options, const struct heddle_board *board) {
  return heddle_board_left(board, options->beside_unit ? &board->beside : &board->alone);
}

struct heddle_room board_check_sum(const struct folder_kernel *made, size_t count) {
  struct heddle_room sum = chain_room_of_all(made, count);
  for (size_t i = 0; i < count; i++)
    sum = heddle_room_sum(&sum, &made[i].result.room);
  return sum;
}

static bool has_room(const struct heddle_board *board, const struct heddle_room *rest, const struct heddle_room *room) {
  const struct heddle_room left = heddle_board_left(board, rest);
  return !heddle_room_lacks(room, &left);
}

static void tell_room(unsigned wanted, unsigned left, const char *what, const char **separator) {
  if (wanted <= left)
    return;
  fprintf(stderr, "%s%u %s of %u that are left", *separator, wanted, what, left);
  *separator = ", ";
}

// What makes it fit, of what can be done.
static void advise(const struct options *options, const struct heddle_board *board, const struct heddle_room *room,
                   const struct board_smaller *smaller) {
  fputs(board->alone.lut4 == 0 ? "What holds them:" : "What makes it smaller:", stderr);
  if (smaller->units > 1)
    fprintf(stderr, " --copies %u;", smaller->units - 1);
  if (smaller->slots > PIPELINE_FEW_SLOTS)
    fprintf(stderr, " --slots %u, which takes no block RAM for values;", (unsigned)PIPELINE_FEW_SLOTS);
  if (smaller->has_wide_port)
    fputs(" --port-words 1;", stderr);
  if (smaller->lanes != 0 && options->share < OPTIONS_MOST_SHARE)
    fprintf(stderr, " --share%s, if there are floats or products;",
            options->share == 0   ? ""
            : options->share < 16 ? "=16"
            : options->share < 64 ? "=64"
                                  : "=256");
  if (smaller->lanes > 1)
    fprintf(stderr, " --lanes %u;", smaller->lanes / 2);
  if (smaller->kernels > 1)
    fputs(" --kernel NAME, not all kernels;", stderr);
  if (options->beside_unit && has_room(board, &board->alone, room))
    fputs(" pipelines instead of the programmable unit, for which there is room (make bitstream: SET=\"UNITS=0\");",
          stderr);
  const char *separator = " a larger board: ";
  for (size_t i = 0; i < heddle_board_count; i++) {
    if (has_room(&heddle_boards[i], options->beside_unit ? &heddle_boards[i].beside : &heddle_boards[i].alone, room)) {
      fprintf(stderr, "%s%s", separator, heddle_boards[i].name);
      separator = ", ";
    }
  }
  fputs(separator[0] == ',' ? "\n" : " less in the kernel (hls/README.md; the report says what takes most)\n", stderr);
}

bool board_check_holds_any(const struct options *options, const struct heddle_board *board,
                           const struct heddle_room *room) {
  if (board_check_left(options, board).lut4 != 0)
    return true;
  fprintf(stderr, "error: %s holds no pipelines: its FPGA is too small for one and what surrounds it\n", board->name);
  advise(options, board, room, &(struct board_smaller){0});
  return false;
}

void board_check_tell_lacks(const struct options *options, const struct heddle_board *board,
                            const struct heddle_room *room, const struct board_smaller *smaller) {
  const struct heddle_room left = board_check_left(options, board);
  const char *separator = "";
  tell_room(room->lut4, left.lut4, "LUT4", &separator);
  tell_room(room->ff, left.ff, "flip-flops", &separator);
  tell_room(room->ebr, left.ebr, "block RAMs", &separator);
  tell_room(room->dsp, left.dsp, "multipliers", &separator);
  fputs(".\n", stderr);
  advise(options, board, room, smaller);
}

enum status board_check(const struct options *options, const struct folder_kernel *made, size_t count) {
  const struct heddle_board *board = heddle_board_find(options->board);
  const struct heddle_room room = board_check_sum(made, count), left = board_check_left(options, board);
  struct board_smaller smaller = {.kernels = count};
  if (!board_check_holds_any(options, board, &room))
    return STATUS_REJECTED;
  if (!heddle_room_lacks(&room, &left))
    return STATUS_OK;
  for (size_t i = 0; i < count; i++) {
    smaller.lanes = made[i].lanes > smaller.lanes ? made[i].lanes : smaller.lanes;
    smaller.units = made[i].units > smaller.units ? made[i].units : smaller.units;
    smaller.has_wide_port |= made[i].result.graph->port_lanes > made[i].lanes;
    smaller.slots = 1u << made[i].slots_log2 > smaller.slots ? 1u << made[i].slots_log2 : smaller.slots;
  }
  fprintf(stderr, "error: the pipelines of %s do not fit on %s %s programmable unit, by their estimates: ",
          options_source_name(options), board->name, options->beside_unit ? "beside its" : "without a");
  board_check_tell_lacks(options, board, &room, &smaller);
  return STATUS_REJECTED;
}
