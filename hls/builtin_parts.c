// SPDX-License-Identifier: Apache-2.0
// Parts of the built-in library by the words of a source (builtin_parts.h). Comments and strings are read like
// everything else: a part too many does no harm.
#include "hls/builtin_parts.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/data.h"

enum { LONG_SOURCE = 1 << 20, LINE_BYTES = 512, LINES_MOST = 64 };

// The lines of builtins.parts, and which are wanted.
struct parts {
  char lines[LINES_MOST][LINE_BYTES];
  bool wanted[LINES_MOST];
  size_t count;
};

static enum status read_parts(struct parts *parts) {
  char path[4096];
  enum status status = data_path("builtins.parts", path, sizeof path);
  FILE *file = status == STATUS_OK ? fopen(path, "r") : NULL;
  if (!file)
    return status == STATUS_OK ? STATUS_TOOL_MISSING : status;
  char line[LINE_BYTES];
  while (fgets(line, sizeof line, file) && parts->count < LINES_MOST) {
    if (line[0] != '#') {
      line[strcspn(line, "\n")] = 0;
      memcpy(parts->lines[parts->count++], line, sizeof line);
    }
  }
  fclose(file);
  return STATUS_OK;
}

static void want_all(struct parts *parts) {
  memset(parts->wanted, true, sizeof parts->wanted);
}

static bool names(const char *line, const char *word, size_t length) {
  const char *name = strchr(line, ' ');
  while (name) {
    const size_t bytes = strcspn(++name, " ");
    const bool is_prefix = bytes > 0 && name[bytes - 1] == '*';
    const size_t compared = bytes - is_prefix;
    if ((is_prefix ? length >= compared : length == compared) && memcmp(name, word, compared) == 0)
      return true;
    name = strchr(name, ' ');
  }
  return false;
}

static bool begins(const char *word, size_t length, const char *with) {
  return length >= strlen(with) && memcmp(word, with, strlen(with)) == 0;
}

static bool in_word(char c) {
  return c == '_' || isalnum((unsigned char)c) != 0;
}

static void want_for_word(struct parts *parts, const char *word, size_t length) {
  // Another file may have any word: #include, #import, #embed.
  if (begins(word, length, "include") || begins(word, length, "import") || begins(word, length, "embed"))
    want_all(parts);
  for (size_t i = 0; i < parts->count; i++)
    parts->wanted[i] = parts->wanted[i] || names(parts->lines[i], word, length);
}

// Whether names may be made here that are no words of the text: #, or a character that stands for it, twice; a letter
// by its number; a line that goes on in the middle of a word.
static bool makes_names(const char *at) {
  if ((at[0] == '#' && at[1] == '#') || (at[0] == '%' && at[1] == ':') || (at[0] == '?' && at[1] == '?'))
    return true;
  if (at[0] != '\\')
    return false;
  const char *end = at + 1 + strspn(at + 1, " \t\v\f");
  const char *next = end + strspn(end, "\r\n");
  return at[1] == 'u' || at[1] == 'U' || at[1] == 'N' || (next > end && in_word(*next));
}

static void want_for_text(struct parts *parts, const char *text) {
  for (const char *at = text; *at != 0;) {
    size_t length = 0;
    while (in_word(at[length]))
      length++;
    if (length > 0)
      want_for_word(parts, at, length);
    else if (makes_names(at))
      want_all(parts);
    at += length > 0 ? length : 1;
  }
}

// As a string; NULL if it is long, has a byte of 0 in it, or cannot be read.
static char *read_source(const char *source) {
  FILE *file = source ? fopen(source, "rb") : NULL;
  if (!file)
    return NULL;
  char *text = calloc(1, LONG_SOURCE + 1);
  if (text) {
    const size_t length = fread(text, 1, LONG_SOURCE, file);
    if (length == LONG_SOURCE || strlen(text) != length) {
      free(text);
      text = NULL;
    }
  }
  fclose(file);
  return text;
}

enum status builtin_parts(const char *source, const struct options *options, struct strings *files) {
  struct parts parts = {.count = 0};
  enum status status = read_parts(&parts);
  char *text = read_source(source);
  if (text) {
    want_for_text(&parts, text);
    for (size_t i = 0; i < options->macros.count; i++)
      want_for_text(&parts, options->macros.items[i]);
  } else {
    want_all(&parts);
  }
  free(text);
  for (size_t i = 0; status == STATUS_OK && i < parts.count; i++) {
    const size_t length = strcspn(parts.lines[i], " ");
    const char *last = files->count > 0 ? files->items[files->count - 1] : "";
    if (parts.wanted[i] && !(begins(parts.lines[i], length, last) && strlen(last) == length))
      strings_add_format(files, "%.*s", (int)length, parts.lines[i]);
  }
  return status;
}
