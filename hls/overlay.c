// SPDX-License-Identifier: Apache-2.0
// clang's virtual file system overlay: no name in there can reach a real file, and names that folders cannot have need
// no thought.
#include "hls/overlay.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hls/data.h"
#include "hls/scratch.h"

// No file system has it, and where one could, it is root's.
#define HEADERS "/.heddle/headers/embedded/as/named"

// clang's driver wants to see a real file: an empty one of heddlec's own, of a name that no header has.
enum status overlay_source(char path[PATH_MAX]) {
  return data_path("source/of/a/program/" OVERLAY_SOURCE, path, PATH_MAX);
}

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

static void write_file(FILE *file, const char *name, const char *path) {
  fputs("{\"type\": \"file\", \"name\": \"", file);
  if (name[0] != '/')
    fputs(HEADERS "/", file);
  write_text(file, name);
  fputs("\", \"external-contents\": \"", file);
  write_text(file, path);
  fputs("\"},\n", file);
}

static enum status write_overlay(const struct strings *headers) {
  FILE *file = fopen(scratch_path(SCRATCH_OVERLAY), "w");
  if (!file) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", scratch_path(SCRATCH_OVERLAY), strerror(errno));
    return STATUS_FAILED;
  }
  char source[PATH_MAX];
  enum status status = overlay_source(source);
  fputs("{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [\n", file);
  // Else the folder may not be there, and clang forgets about it.
  fputs("{\"type\": \"directory\", \"name\": \"" HEADERS "\", \"contents\": []},\n", file);
  write_file(file, source, scratch_path(SCRATCH_SOURCE));
  for (size_t i = 0; i < headers->count && status == STATUS_OK; i += 2) {
    char *path = realpath(headers->items[i + 1], NULL);
    if (!path) {
      fprintf(stderr, "heddlec: cannot read %s: %s\n", headers->items[i + 1], strerror(errno));
      status = STATUS_INVALID_OPTIONS;
    } else if (headers->items[i][0] != 0 && !is_repeated(headers, i)) {
      write_file(file, headers->items[i], path);
    }
    free(path);
  }
  fputs("]}\n", file);
  if (fclose(file) != 0 && status == STATUS_OK) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", scratch_path(SCRATCH_OVERLAY), strerror(errno));
    status = STATUS_FAILED;
  }
  return status;
}

enum status overlay_offer(const struct strings *headers, struct strings *arguments) {
  enum status status = write_overlay(headers);
  strings_add(arguments, "-ivfsoverlay");
  strings_add(arguments, scratch_path(SCRATCH_OVERLAY));
  if (headers->count != 0)
    strings_add(arguments, "-I" HEADERS);
  // In line tables and __FILE__ too.
  strings_add(arguments, "-ffile-prefix-map=" HEADERS "/=");
  return status;
}

bool overlay_has(const char *path) {
  return strncmp(path, HEADERS "/", sizeof HEADERS) == 0;
}

void overlay_say(const char *line) {
  for (const char *at; (at = strstr(line, HEADERS "/")); line = at + sizeof HEADERS)
    fwrite(line, 1, (size_t)(at - line), stderr);
  fputs(line, stderr);
}
