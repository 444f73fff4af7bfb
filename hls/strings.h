// SPDX-License-Identifier: Apache-2.0
// A growing list of strings. Out of memory, heddlec ends.
#ifndef HEDDLE_HLS_STRINGS_H
#define HEDDLE_HLS_STRINGS_H

#include <stddef.h>

// It owns its strings, and is ended by NULL so that it can serve as an argument vector.
struct strings {
  char **items;
  size_t count;
};

void strings_add(struct strings *list, const char *text);
void strings_add_format(struct strings *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strings_add_all(struct strings *list, const char *const *texts, size_t count);
void strings_free(struct strings *list);

#endif
