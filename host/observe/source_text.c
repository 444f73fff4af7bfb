// SPDX-License-Identifier: Apache-2.0
// Finds lines of source (source_text.h). Files are read once a program, and only plain files of a sensible size.
#include "host/observe/source_text.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Line information is a stranger's: it may name any number of files, and the last line of the largest again and again.
enum { SOURCE_BYTES_MAX = 16 << 20, FILES_MOST = 1024 };

// A file of source; without text it cannot be read.
struct heddle_source_text {
  struct heddle_source_text *next;
  char *file, *read;  // `read` is zero-terminated; NULL: the text is the program's own, or there is none
  const char *text;
  uint32_t *starts;  // where its lines begin; made when the first is looked for
  uint32_t num_lines;
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

// NULL: host memory is out, or there are too many.
static struct heddle_source_text *entry_of(struct heddle_profile_program *program, const char *file) {
  unsigned count = 0;
  for (struct heddle_source_text *t = program->texts; t; t = t->next, count++)
    if (strcmp(t->file, file) == 0)
      return t;
  struct heddle_source_text *text = count < FILES_MOST ? calloc(1, sizeof *text) : NULL;
  if (!text)
    return NULL;
  const bool is_given = program->source && strcmp(file, given_source) == 0;
  text->file = strdup(file);
  text->read = is_given ? NULL : read_file(file);
  text->text = is_given ? program->source : text->read;
  text->next = program->texts;
  if (!text->file) {
    free(text->read);
    free(text);
    return NULL;
  }
  program->texts = text;
  return text;
}

const char *heddle_source_text_of(struct heddle_profile_program *program, const char *file) {
  const struct heddle_source_text *text = entry_of(program, file);
  return text ? text->text : NULL;
}

// False: host memory is out.
static bool find_lines(struct heddle_source_text *text) {
  uint32_t count = 1;
  for (const char *c = text->text; (c = strchr(c, '\n')); c++)
    count++;
  text->starts = malloc(count * sizeof *text->starts);
  if (!text->starts)
    return false;
  text->starts[0] = 0;
  for (const char *c = text->text; (c = strchr(c, '\n')); c++)
    text->starts[++text->num_lines] = (uint32_t)(c + 1 - text->text);
  text->num_lines++;
  return true;
}

void heddle_source_text_find(struct heddle_profile_program *program, struct heddle_profile_line *line) {
  struct heddle_source_text *text = line->file ? entry_of(program, line->file) : NULL;
  if (!text || !text->text || (!text->starts && !find_lines(text)) || line->line == 0 || line->line > text->num_lines)
    return;
  const char *at = text->text + text->starts[line->line - 1];
  if (*at == 0)
    return;
  line->text = at;
  line->text_bytes = (int)strcspn(at, "\r\n");
}

void heddle_source_texts_free(struct heddle_source_text *texts) {
  while (texts) {
    struct heddle_source_text *next = texts->next;
    free(texts->file);
    free(texts->read);
    free(texts->starts);
    free(texts);
    texts = next;
  }
}
