// SPDX-License-Identifier: Apache-2.0
// Reads the rule for make that clang writes (depend.h).
#include "hls/depend.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "hls/data.h"
#include "hls/il.h"
#include "hls/overlay.h"
#include "hls/scratch.h"
#include "hls/strings.h"

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

// Embedded headers, which the caller has given; heddlec's declarations, beside which its other headers are and clang
// sees the source (overlay.h); and clang's own headers.
static bool is_known(const char *path, const char *declarations) {
  const char *last = strrchr(declarations, '/');
  const size_t folder = last ? (size_t)(last - declarations) + 1 : 0;
  return overlay_has(path) || starts_with(path, scratch_directory()) || strcmp(path, declarations) == 0 ||
         strstr(path, "/lib/clang/") || (folder != 0 && strncmp(path, declarations, folder) == 0);
}

// From the root, but as clang spells it: what a link leads to may change.
static bool make_whole(char *path, size_t size) {
  char whole[PATH_MAX];
  if (path[0] == '/')
    return access(path, F_OK) == 0;
  if (!getcwd(whole, sizeof whole))
    return false;
  const size_t length = strlen(whole);
  snprintf(whole + length, sizeof whole - length, "/%s", path);
  const bool fits = strlen(path) + length + 2 <= sizeof whole && strlen(whole) < size;
  if (fits)
    strcpy(path, whole);
  return fits && access(path, F_OK) == 0;
}

// Reads the files of clang's rule. False: there is one whose path cannot be told.
static bool read_files(FILE *rule, struct strings *files) {
  char declarations[PATH_MAX], word[PATH_MAX];
  bool are_known = data_path("heddle.h", declarations, sizeof declarations) == STATUS_OK;
  next_word(rule, word, sizeof word);  // what depends on the rest
  while (next_word(rule, word, sizeof word)) {
    if (is_known(word, declarations))
      continue;
    are_known = are_known && make_whole(word, sizeof word) && !strchr(word, '\n');
    strings_add(files, word);
  }
  return are_known;
}

// Adds a folder, which is that of the first `length` characters of a path.
static bool add_folder(struct strings *folders, const char *path, size_t length) {
  char folder[PATH_MAX];
  while (length > 1 && path[length - 1] == '/')
    length--;
  if (length >= sizeof folder)
    return false;
  snprintf(folder, sizeof folder, "%.*s", (int)length, path);
  if (!make_whole(folder, sizeof folder))
    return true;  // there is no such folder
  for (size_t i = 0; i < folders->count; i++)
    if (strcmp(folders->items[i], folder) == 0)
      return true;
  strings_add(folders, folder);
  return true;
}

// The name that a file has in #include if it was found in the folder; NULL: it is not there.
static const char *name_in(const char *folder, const char *file) {
  const size_t length = strlen(folder);
  return starts_with(file, folder) && file[length] == '/' ? file + length + 1 : NULL;
}

// Writes the paths where clang might find a file instead of the one that it has found: in other folders of -I, and
// beside the files that include others. False: they are too many.
static bool tell_others(const struct options *options, const struct strings *files, FILE *to) {
  enum { MOST = 1 << 16 };
  struct strings folders = {0};
  bool are_told = true;
  for (size_t i = 0; i < options->folders.count; i++)
    are_told = are_told && add_folder(&folders, options->folders.items[i], strlen(options->folders.items[i]));
  const size_t named = folders.count;
  for (size_t i = 0; i < files->count; i++)
    are_told =
        are_told && add_folder(&folders, files->items[i], (size_t)(strrchr(files->items[i], '/') - files->items[i]));
  are_told = are_told && files->count * folders.count <= MOST;
  for (size_t i = 0; i < files->count && are_told; i++)
    for (size_t at = 0; at < named; at++) {
      const char *name = name_in(folders.items[at], files->items[i]);
      char other[2 * PATH_MAX];
      for (size_t k = 0; name && k < folders.count; k++) {
        if (k == at)
          continue;
        snprintf(other, sizeof other, "%s/%s", folders.items[k], name);
        if (access(other, F_OK) != 0)
          fprintf(to, "!%s\n", other);
      }
    }
  strings_free(&folders);
  return are_told;
}

enum status depend_tell(const struct options *options) {
  if (!options->depend)
    return STATUS_OK;
  FILE *file = fopen(options->depend, "w");
  if (!file) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", options->depend, strerror(errno));
    return STATUS_FAILED;
  }
  const bool has_rule = options->mode != MODE_LINK && !il_is_input(options);
  FILE *rule = has_rule ? fopen(scratch_path(SCRATCH_DEPEND), "r") : NULL;
  struct strings files = {0};
  const bool are_known = !has_rule || (rule && read_files(rule, &files) && tell_others(options, &files, file));
  for (size_t i = 0; i < files.count && are_known; i++)
    fprintf(file, "%s\n", files.items[i]);
  if (!are_known)
    fputs("?\n", file);
  if (rule)
    fclose(rule);
  strings_free(&files);
  const bool is_whole = ferror(file) == 0;
  if (fclose(file) == 0 && is_whole)
    return STATUS_OK;
  fprintf(stderr, "heddlec: cannot write %s: %s\n", options->depend, strerror(errno));
  heddle_output_file_withdraw(options->depend);
  return STATUS_FAILED;
}
