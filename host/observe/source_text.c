// SPDX-License-Identifier: Apache-2.0
// Finds lines of source (source_text.h). Files are read once a program, and only plain files of a sensible size.
#include "host/observe/source_text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCE_BYTES_MAX = 16 << 20 };

// A file of source; without text it cannot be read.
struct heddle_source_text {
  struct heddle_source_text *next;
  char *file, *text;  // zero-terminated
};

// What clCreateProgramWithSource got is called this (host/cl/compiler.c).
static const char given_source[] = "program.cl";

static char *read_file(const char *path) {
  struct stat status;
  char *text = NULL;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return NULL;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= SOURCE_BYTES_MAX)
    text = calloc(1, (size_t)status.st_size + 1);
  for (ssize_t done = 0, got = 1; text && got > 0 && done < status.st_size; done += got > 0 ? got : 0)
    got = read(file, text + done, (size_t)(status.st_size - done));
  close(file);
  return text;
}

const char *heddle_source_text_of(struct heddle_profile_program *program, const char *file) {
  if (program->source && strcmp(file, given_source) == 0)
    return program->source;
  for (const struct heddle_source_text *t = program->texts; t; t = t->next)
    if (strcmp(t->file, file) == 0)
      return t->text;
  struct heddle_source_text *text = calloc(1, sizeof *text);
  if (!text)
    return NULL;
  *text = (struct heddle_source_text){.next = program->texts, .file = strdup(file), .text = read_file(file)};
  if (!text->file) {
    free(text->text);
    free(text);
    return NULL;
  }
  program->texts = text;
  return text->text;
}

void heddle_source_text_find(struct heddle_profile_program *program, struct heddle_profile_line *line) {
  const char *at = line->file ? heddle_source_text_of(program, line->file) : NULL;
  for (uint32_t i = 1; i < line->line && at; i++) {
    at = strchr(at, '\n');
    at = at ? at + 1 : NULL;
  }
  if (!at || *at == 0)
    return;
  line->text = at;
  line->text_bytes = (int)strcspn(at, "\r\n");
}

void heddle_source_texts_free(struct heddle_source_text *texts) {
  while (texts) {
    struct heddle_source_text *next = texts->next;
    free(texts->file);
    free(texts->text);
    free(texts);
    texts = next;
  }
}
