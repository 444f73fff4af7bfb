// SPDX-License-Identifier: Apache-2.0
#include "host/device/printf_lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { FIRST_ROOM = 64 };

// Kernels choose the numbers: mixed with a secret one they do not all come to one place.
static uint32_t mix(const struct heddle_printf_lines *lines, uint32_t work_item) {
  uint64_t mixed = (work_item ^ lines->secret) * UINT64_C(0xFF51AFD7ED558CCD);
  mixed = (mixed ^ mixed >> 33) * (lines->secret | 1);
  return (uint32_t)(mixed >> 32);
}

// Where a work-item's index is in the table, or would be.
static uint32_t *place_of(const struct heddle_printf_lines *lines, uint32_t work_item) {
  const uint32_t mask = 2 * lines->room - 1;
  uint32_t at = mix(lines, work_item) & mask;
  while (lines->table[at] != 0 && lines->begun[lines->table[at] - 1].work_item != work_item)
    at = (at + 1) & mask;
  return &lines->table[at];
}

// Makes room for twice as many work-items.
static bool grow(struct heddle_printf_lines *lines) {
  if (lines->secret == 0 && getrandom(&lines->secret, sizeof lines->secret, GRND_NONBLOCK) != sizeof lines->secret)
    lines->secret = (uint64_t)clock() + (uint64_t)time(NULL);
  const uint32_t room = lines->room ? 2 * lines->room : FIRST_ROOM;
  uint32_t *table = calloc(2 * (size_t)room, sizeof *table);
  struct heddle_printf_line *begun = calloc(room, sizeof *begun);
  if (!table || !begun) {
    free(table);
    free(begun);
    return false;
  }
  if (lines->begun)
    memcpy(begun, lines->begun, lines->num_begun * sizeof *begun);
  free(lines->begun);
  free(lines->table);
  lines->begun = begun;
  lines->table = table;
  lines->room = room;
  for (uint32_t i = 0; i < lines->num_begun; i++)
    *place_of(lines, lines->begun[i].work_item) = i + 1;
  return true;
}

// The line that a work-item has begun; NULL: none.
static struct heddle_printf_line *line_of(const struct heddle_printf_lines *lines, uint32_t work_item) {
  const uint32_t index = lines->room ? *place_of(lines, work_item) : 0;
  return index ? &lines->begun[index - 1] : NULL;
}

static bool begin_or_continue(struct heddle_printf_lines *lines, uint32_t work_item, const char *bytes, size_t count) {
  struct heddle_printf_line *line = line_of(lines, work_item);
  if (!line) {
    if ((!lines->begun || lines->num_begun == lines->room) && !grow(lines))
      return false;
    line = &lines->begun[lines->num_begun++];
    *line = (struct heddle_printf_line){.work_item = work_item};
    *place_of(lines, work_item) = lines->num_begun;
  }
  return heddle_text_add(&line->text, bytes, count);
}

static void put(struct heddle_printf_lines *lines, const char *bytes, size_t count) {
  if (count != 0)
    fwrite(bytes, 1, count, lines->out);
}

bool heddle_printf_lines_add(struct heddle_printf_lines *lines, uint32_t work_item, const char *bytes, size_t count) {
  const char *last = count ? memrchr(bytes, '\n', count) : NULL;
  if (last) {
    const size_t ended = (size_t)(last - bytes) + 1;
    struct heddle_printf_line *line = line_of(lines, work_item);
    if (line) {
      put(lines, line->text.bytes, line->text.count);
      line->text.count = 0;
    }
    put(lines, bytes, ended);
    bytes += ended;
    count -= ended;
  }
  return count == 0 || begin_or_continue(lines, work_item, bytes, count);
}

void heddle_printf_lines_finish(struct heddle_printf_lines *lines) {
  for (uint32_t i = 0; i < lines->num_begun; i++) {
    put(lines, lines->begun[i].text.bytes, lines->begun[i].text.count);
    heddle_text_free(&lines->begun[i].text);
  }
  free(lines->begun);
  free(lines->table);
  *lines = (struct heddle_printf_lines){.out = lines->out};
}
