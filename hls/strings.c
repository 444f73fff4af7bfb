// SPDX-License-Identifier: Apache-2.0
// A growing list of strings (strings.h).
#include "hls/strings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/status.h"

static void *checked(void *memory) {
  if (!memory) {
    fputs("heddlec: out of memory\n", stderr);
    exit(STATUS_FAILED);
  }
  return memory;
}

static void take(struct strings *list, char *text) {
  list->items = checked(realloc(list->items, (list->count + 2) * sizeof *list->items));
  list->items[list->count++] = text;
  list->items[list->count] = NULL;
}

void strings_add(struct strings *list, const char *text) {
  take(list, checked(strdup(text)));
}

void strings_add_format(struct strings *list, const char *format, ...) {
  va_list arguments;
  char *text = NULL;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  take(list, checked(length < 0 ? NULL : text));
}

void strings_add_all(struct strings *list, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    strings_add(list, texts[i]);
}

void strings_free(struct strings *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->items[i]);
  free(list->items);
  *list = (struct strings){0};
}
