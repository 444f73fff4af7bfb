// SPDX-License-Identifier: Apache-2.0
// Whole lines: what work-items of a dispatch print goes out line by line, so that a line has the text of one work-item
// only. Lines come in the order in which they end, those without an end last.
#ifndef HEDDLE_PRINTF_LINES_H
#define HEDDLE_PRINTF_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "host/device/text.h"

// A work-item that began a line.
struct heddle_printf_line {
  uint32_t work_item;
  struct heddle_text text;
};

// All zeros but `out` at the start.
struct heddle_printf_lines {
  FILE *out;
  struct heddle_printf_line *begun;  // in the order in which work-items first began one
  uint32_t num_begun, room;
  uint64_t secret;  // 0: not chosen yet
  uint32_t *table;  // hash table of 2 * room: index in `begun` + 1, or 0
};

// False: host memory is out, and the text is lost.
bool heddle_printf_lines_add(struct heddle_printf_lines *lines, uint32_t work_item, const char *bytes, size_t count);

// Writes what has no end yet, and releases everything but `out`.
void heddle_printf_lines_finish(struct heddle_printf_lines *lines);

#endif
