// SPDX-License-Identifier: Apache-2.0
#include "host/device/text.h"

#include <stdlib.h>
#include <string.h>

char *heddle_text_extend(struct heddle_text *text, size_t count) {
  text->is_full = text->most != 0 && (text->count > text->most || count > text->most - text->count);
  if (text->is_full)
    return NULL;
  if (count > text->capacity - text->count) {
    const size_t capacity = text->capacity * 2 + count + 64;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes)
      return NULL;
    text->bytes = bytes;
    text->capacity = capacity;
  }
  char *start = text->bytes + text->count;
  text->count += count;
  return start;
}

bool heddle_text_add(struct heddle_text *text, const char *bytes, size_t count) {
  char *start = heddle_text_extend(text, count);
  if (start && count != 0)
    memcpy(start, bytes, count);
  return start;
}

void heddle_text_free(struct heddle_text *text) {
  free(text->bytes);
  *text = (struct heddle_text){0};
}
