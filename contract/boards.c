// SPDX-License-Identifier: Apache-2.0
// The table of boards (boards.h).
#include "contract/boards.h"

#include <stdio.h>
#include <string.h>

#define LFE5U_25F {24288, 24288, 56, 28}
#define LFE5U_85F {83640, 83640, 208, 156}

// Beside a unit by what nextpnr packed, without what is set aside, and of ulx3s-25f alone by Yosys
// (docs/results/boards.md). Alone on the others: estimates.
const struct heddle_board heddle_boards[] = {
    {"ulx3s-85f", "ULX3S FPGA 85K", LFE5U_85F, {8500, 8200, 40, 3}, {49500, 36200, 114, 37}},
    {"ulx3s-85f-usb", NULL, LFE5U_85F, {9800, 9000, 40, 3}, {50800, 37000, 114, 37}},
    {"ulx3s-85f-integer", NULL, LFE5U_85F, {6500, 6200, 40, 3}, {23000, 19500, 80, 21}},
    {"ulx3s-25f", "ULX3S FPGA 25K", LFE5U_25F, {5625, 5376, 17, 3}, {19000, 15800, 55, 21}},
    {"orangecrab-85f", NULL, LFE5U_85F, {12000, 10500, 52, 3}, {52500, 38800, 126, 37}},
    {"orangecrab-25f", NULL, LFE5U_25F, {8900, 7100, 17, 3}, {19500, 15300, 47, 13}},
    {"icebreaker", "iCEBreaker", {5280, 5280, 30, 8}, {0}, {0}},
    {"hx8k", NULL, {7680, 7680, 32, 0}, {0}, {0}},
    {"tangnano20k", NULL, {20736, 15552, 46, 48}, {0}, {0}},
};
const size_t heddle_board_count = sizeof heddle_boards / sizeof *heddle_boards;

const struct heddle_board *heddle_board_find(const char *name) {
  for (size_t i = 0; i < heddle_board_count; i++)
    if (strcmp(heddle_boards[i].name, name) == 0)
      return &heddle_boards[i];
  return NULL;
}

static unsigned less(unsigned all, unsigned taken) {
  return all > taken ? all - taken : 0;
}

struct heddle_room heddle_board_left(const struct heddle_board *board, const struct heddle_room *rest) {
  if (rest->lut4 == 0)
    return (struct heddle_room){0};
  return (struct heddle_room){.lut4 = less(board->chip.lut4 / 10 * 9, rest->lut4),
                              .ff = less(board->chip.ff / 10 * 9, rest->ff),
                              .ebr = less(board->chip.ebr, rest->ebr),
                              .dsp = less(board->chip.dsp, rest->dsp)};
}

struct heddle_room heddle_room_sum(const struct heddle_room *one, const struct heddle_room *other) {
  return (struct heddle_room){one->lut4 + other->lut4, one->ff + other->ff, one->ebr + other->ebr,
                              one->dsp + other->dsp};
}

struct heddle_room heddle_room_times(const struct heddle_room *room, unsigned copies) {
  return (struct heddle_room){room->lut4 * copies, room->ff * copies, room->ebr * copies, room->dsp * copies};
}

const char *heddle_room_lacks(const struct heddle_room *wanted, const struct heddle_room *left) {
  return wanted->lut4 > left->lut4 ? "LUT4"
         : wanted->ff > left->ff   ? "flip-flops"
         : wanted->ebr > left->ebr ? "block RAMs"
         : wanted->dsp > left->dsp ? "multipliers"
                                   : NULL;
}

const char *heddle_board_names(char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < heddle_board_count && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", heddle_boards[i].name);
  return text;
}
