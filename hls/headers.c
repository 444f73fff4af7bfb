// SPDX-License-Identifier: Apache-2.0
// Embedded headers lie in a folder that only clang sees (its virtual file system overlay): no name can then reach a
// real file, and names that folders cannot have need no thought.
#include "hls/headers.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/scratch.h"

// Below the scratch directory; a few levels deep, so that names which begin with "../" stay in there.
#define FOLDER "/headers/embedded/as/named"

// In double quotes of YAML.
static void write_text(FILE *file, const char *text) {
  for (; *text != 0; text++)
    if (*text == '"' || *text == '\\')
      fprintf(file, "\\%c", *text);
    else if ((unsigned char)*text < ' ' || *text == 127)
      fprintf(file, "\\x%02X", (unsigned char)*text);
    else
      fputc(*text, file);
}

static bool is_repeated(const struct strings *headers, size_t index) {
  for (size_t i = 0; i < index; i += 2)
    if (strcmp(headers->items[i], headers->items[index]) == 0)
      return true;
  return false;
}

static void write_header(FILE *file, const char *name, const char *path) {
  fputs("{\"type\": \"file\", \"name\": \"", file);
  if (name[0] != '/') {
    write_text(file, scratch_directory());
    fputs(FOLDER "/", file);
  }
  write_text(file, name);
  fputs("\", \"external-contents\": \"", file);
  write_text(file, path);
  fputs("\"},\n", file);
}

static enum status write_overlay(const struct strings *headers) {
  FILE *file = fopen(scratch_path(SCRATCH_HEADERS), "w");
  if (!file) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", scratch_path(SCRATCH_HEADERS), strerror(errno));
    return STATUS_FAILED;
  }
  enum status status = STATUS_OK;
  fputs("{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [\n", file);
  // Else the folder may not be there, and clang forgets about it.
  fputs("{\"type\": \"directory\", \"name\": \"", file);
  write_text(file, scratch_directory());
  fputs(FOLDER "\", \"contents\": []},\n", file);
  for (size_t i = 0; i < headers->count && status == STATUS_OK; i += 2) {
    char *path = realpath(headers->items[i + 1], NULL);
    if (!path) {
      fprintf(stderr, "heddlec: cannot read %s: %s\n", headers->items[i + 1], strerror(errno));
      status = STATUS_INVALID_OPTIONS;
    } else if (headers->items[i][0] != 0 && !is_repeated(headers, i)) {
      write_header(file, headers->items[i], path);
    }
    free(path);
  }
  fputs("]}\n", file);
  if (fclose(file) != 0 && status == STATUS_OK) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", scratch_path(SCRATCH_HEADERS), strerror(errno));
    status = STATUS_FAILED;
  }
  return status;
}

enum status headers_offer(const struct strings *headers, struct strings *arguments) {
  if (headers->count == 0)
    return STATUS_OK;
  enum status status = write_overlay(headers);
  strings_add(arguments, "-ivfsoverlay");
  strings_add(arguments, scratch_path(SCRATCH_HEADERS));
  strings_add_format(arguments, "-I%s" FOLDER, scratch_directory());
  // In line tables and __FILE__ too.
  strings_add_format(arguments, "-ffile-prefix-map=%s" FOLDER "/=", scratch_directory());
  return status;
}

void headers_say(const char *line) {
  char folder[PATH_MAX];
  const int length = snprintf(folder, sizeof folder, "%s" FOLDER "/", scratch_directory());
  for (const char *at; (at = strstr(line, folder)); line = at + length)
    fwrite(line, 1, (size_t)(at - line), stderr);
  fputs(line, stderr);
}
