// SPDX-License-Identifier: Apache-2.0
// Text that grows. It may hold zero bytes and does not end with one.
#ifndef HEDDLE_TEXT_H
#define HEDDLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct heddle_text {
  char *bytes;
  size_t count, capacity;
  size_t most;   // bytes that it may have; 0: any number
  bool is_full;  // that was the reason when the last addition failed
};

// Adds a copy, or room for `count` bytes whose start is returned. NULL or false: host memory is out, or the text is
// full; nothing changed.
bool heddle_text_add(struct heddle_text *text, const char *bytes, size_t count);
char *heddle_text_extend(struct heddle_text *text, size_t count);

void heddle_text_free(struct heddle_text *text);

#endif
