// SPDX-License-Identifier: Apache-2.0
// Reads llvm-symbolizer's answers (lines.h): for each address pairs of lines, a function and "FILE:LINE:COLUMN",
// innermost inlined function first, and an empty line behind the last. What is not known is "??" and "??:0:0".
#include "host/observe/lines.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/kernel_lines.h"
#include "host/cl/source_line.h"

enum { ADDRESSES_A_RUN = 4096, ANSWER_BYTES_AN_ADDRESS = 2048 };

// What the program has written where the library's own names say something else; other names with underscores in front
// are of code generation, and say nothing to who wrote it.
static const char *written_name(const char *function) {
  static const struct {
    const char *begins, *written;
  } names[] = {{"__heddle_printf", "printf"},
               {"__heddle_pipe_take_read", "read_pipe"},
               {"__heddle_pipe_give_read", "read_pipe"},
               {"__heddle_pipe_take_write", "write_pipe"},
               {"__heddle_pipe_give_write", "write_pipe"},
               {"__read_pipe", "read_pipe"},
               {"__write_pipe", "write_pipe"},
               {"__enqueue_kernel", "enqueue_kernel"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(function, names[i].begins, strlen(names[i].begins)) == 0)
      return names[i].written;
  return strncmp(function, "__", 2) != 0 ? function : NULL;
}

// The name of a function as it was written: without what the symbolizer adds of its parameters, and what the linker
// adds behind a point. Changes the text.
static const char *plain_name(char *function) {
  char *end = strpbrk(function, "(.");
  if (end && end != function)
    *end = 0;
  return strcmp(function, "??") != 0 ? written_name(function) : NULL;
}

// Whether a file is none of the user's: built-in functions, and the headers of SYCL.
static bool is_of_library(const char *file) {
  return strcmp(file, HEDDLE_BUILT_IN_FILE) == 0 || strstr(file, "/heddle-sycl/sycl/");
}

// Takes the answer for one address: the innermost frame that is of the user's source, and the built-in function that
// is called there. Where there is no line information it is one frame without a line. False: the text ends in the
// middle of it.
static bool take_answer(char **text, struct heddle_line *line) {
  bool found = false;
  char *symbol = NULL;
  for (int frames = 0;; frames++) {
    char *function = heddle_symbolized_line(text);
    if (!function)
      return false;
    if (*function == 0) {
      if (!line->file && frames == 1)
        line->function = plain_name(symbol);
      return true;
    }
    char *place = heddle_symbolized_line(text);
    symbol = function;
    const char *file = NULL;
    uint32_t number = 0;
    if (!place)
      return false;
    if (found || !heddle_symbolized_place(place, &file, &number))
      continue;
    found = strcmp(file, "??") != 0 && !is_of_library(file);
    if (!found)
      line->function = plain_name(function);
    else if (number != 0) {
      line->file = file;
      line->line = number;
    }
  }
}

// Asks for some addresses. Their answers, the caller's to free; NULL: there is none.
static char *ask(const void *elf, size_t elf_bytes, const uint32_t *offsets, size_t count) {
  char (*texts)[16] = malloc(count * sizeof *texts);
  char **addresses = calloc(count + 1, sizeof *addresses);
  const size_t bytes = count * ANSWER_BYTES_AN_ADDRESS;
  char *answer = calloc(1, bytes + 1);
  bool known = texts && addresses && answer;
  for (size_t i = 0; i < count && known; i++) {
    snprintf(texts[i], sizeof texts[i], "0x%" PRIx32, offsets[i]);
    addresses[i] = texts[i];
  }
  known = known && heddle_symbolize(elf, elf_bytes, addresses, answer, bytes);
  free(texts);
  free(addresses);
  if (known)
    return answer;
  free(answer);
  return NULL;
}

struct heddle_lines *heddle_lines_find(const void *elf, size_t elf_bytes, const uint32_t *offsets, size_t count) {
  struct heddle_lines *lines = calloc(1, sizeof *lines);
  const size_t runs = (count + ADDRESSES_A_RUN - 1) / ADDRESSES_A_RUN;
  if (!lines)
    return NULL;
  lines->count = count;
  lines->lines = calloc(count != 0 ? count : 1, sizeof *lines->lines);
  lines->texts = calloc(runs != 0 ? runs : 1, sizeof *lines->texts);
  if (!lines->lines || !lines->texts) {
    heddle_lines_free(lines);
    return NULL;
  }
  for (size_t first = 0; first < count; first += ADDRESSES_A_RUN) {
    const size_t some = count - first < ADDRESSES_A_RUN ? count - first : ADDRESSES_A_RUN;
    char *text = ask(elf, elf_bytes, offsets + first, some);
    lines->texts[lines->num_texts] = text;
    lines->num_texts += !!text;
    for (size_t i = 0; i < some && text; i++) {
      struct heddle_line line = {0};
      if (!take_answer(&text, &line))
        break;
      lines->lines[first + i] = line;
    }
  }
  return lines;
}

void heddle_lines_free(struct heddle_lines *lines) {
  if (!lines)
    return;
  for (size_t i = 0; i < lines->num_texts; i++)
    free(lines->texts[i]);
  free(lines->texts);
  free(lines->lines);
  free(lines);
}
