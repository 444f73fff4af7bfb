// SPDX-License-Identifier: Apache-2.0
// Reads the rule for make that clang writes (depend.h).
#include "hls/depend.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/data.h"
#include "hls/il.h"
#include "hls/scratch.h"

void depend_ask(const struct options *options, struct strings *arguments) {
  static const char *const rule[] = {"-MD", "-MT", "result", "-MF"};
  if (options->depend) {
    strings_add_all(arguments, rule, sizeof rule / sizeof *rule);
    strings_add(arguments, scratch_path(SCRATCH_DEPEND));
  }
}

// A character of a rule without make's quoting: -1 for what parts words, -2 at the end.
static int next_character(FILE *rule) {
  int c = fgetc(rule);
  if (c == '\\' || c == '$') {
    const int next = fgetc(rule);
    if (c == '\\' && next == '\n')
      return -1;
    if (next == ' ' || next == '#' || next == '$')
      return next;
    ungetc(next, rule);
  }
  return c == EOF ? -2 : c == ' ' || c == '\n' ? -1 : c;
}

// The next word; false at the end. One that is too long is cut short, and names with a backslash may come out wrong:
// then they name no file.
static bool next_word(FILE *rule, char *word, size_t size) {
  size_t length = 0;
  int c;
  while ((c = next_character(rule)) >= 0 || (c == -1 && length == 0))
    if (c >= 0 && length < size - 1)
      word[length++] = (char)c;
  word[length] = 0;
  return length > 0;
}

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// The source and embedded headers, which the caller has given; heddlec's declarations and clang's own headers.
static bool is_known(const char *path, const char *declarations) {
  return starts_with(path, scratch_directory()) || strcmp(path, declarations) == 0 || strstr(path, "/lib/clang/");
}

static void tell(FILE *file, const char *path) {
  char *whole = realpath(path, NULL);
  fprintf(file, "%s\n", whole && !strchr(whole, '\n') ? whole : "?");
  free(whole);
}

enum status depend_tell(const struct options *options) {
  char declarations[4096], word[4096];
  if (!options->depend)
    return STATUS_OK;
  enum status status = data_path("heddle.h", declarations, sizeof declarations);
  FILE *file = status == STATUS_OK ? fopen(options->depend, "w") : NULL;
  if (!file) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", options->depend, strerror(errno));
    return STATUS_FAILED;
  }
  const bool has_rule = options->mode != MODE_LINK && !il_is_input(options);
  FILE *rule = has_rule ? fopen(scratch_path(SCRATCH_DEPEND), "r") : NULL;
  if (rule) {
    next_word(rule, word, sizeof word);  // what depends on the rest
    while (next_word(rule, word, sizeof word))
      if (!is_known(word, declarations))
        tell(file, word);
    fclose(rule);
  } else if (has_rule) {
    tell(file, "");
  }
  return fclose(file) == 0 ? STATUS_OK : STATUS_FAILED;
}
