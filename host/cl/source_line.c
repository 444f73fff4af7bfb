// SPDX-License-Identifier: Apache-2.0
// Asks llvm-symbolizer for a source line (source_line.h). A program given as a binary brings line information of any
// origin, so it is read in a child process and the answer is looked at before it is passed on.
#include "host/cl/source_line.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/kernel_lines.h"
#include "contract/status.h"
#include "contract/work_folder.h"
#include "host/cl/child.h"

enum { SECONDS = 5, ADDRESSES_A_SECOND = 256, ANSWER_BYTES = 4096, OPTIONS = 4 };

bool heddle_symbolize(const void *elf, size_t elf_bytes, char *const addresses[], char *answer, size_t answer_bytes) {
  char folder[PATH_MAX], path[PATH_MAX], object[PATH_MAX];
  size_t count = 0;
  bool known = false;
  while (addresses[count])
    count++;
  char **arguments = calloc(OPTIONS + count + 1, sizeof *arguments);
  const int lock = arguments ? heddle_work_folder_make(folder, sizeof folder) : -1;
  if (lock < 0) {
    free(arguments);
    return false;
  }
  if (snprintf(path, sizeof path, "%s/program.elf", folder) < PATH_MAX &&
      snprintf(object, sizeof object, "--obj=%s", path) < PATH_MAX && heddle_child_write_file(path, elf, elf_bytes)) {
    char *const options[OPTIONS] = {NULL, object, (char *)"--functions=linkage", "--output-style=LLVM"};
    memcpy(arguments, options, sizeof options);
    memcpy(arguments + OPTIONS, addresses, count * sizeof *addresses);
    known = heddle_child_run_llvm("llvm-symbolizer", arguments, folder, SECONDS + (int)(count / ADDRESSES_A_SECOND),
                                  answer, answer_bytes) == STATUS_OK;
  }
  heddle_work_folder_remove(folder);
  close(lock);
  free(arguments);
  return known;
}

char *heddle_symbolized_line(char **text) {
  char *line = *text;
  char *end = strchr(line, '\n');
  if (!end)
    return NULL;
  *end = 0;
  *text = end + 1;
  return line;
}

bool heddle_symbolized_place(char *place, const char **file, uint32_t *line) {
  char *colon = strrchr(place, ':');
  if (!colon)
    return false;
  *colon = 0;
  colon = strrchr(place, ':');
  if (!colon)
    return false;
  *colon = 0;
  *line = (uint32_t)strtoul(colon + 1, NULL, 10);
  *file = heddle_source_path(place);
  return true;
}

// What is said of an address.
struct answer {
  const char *file;      // of the program's own code; NULL: none
  uint32_t line;         // 0: an instruction that the compiler made of several lines
  const char *function;  // that it is in, those that were inlined aside; NULL: none
};

// Takes the answer for one address: a function and "FILE:LINE:COLUMN" for each frame, innermost inlined function first,
// "??:0:0" when nothing is known, and an empty line behind the last. Of what is of a built-in function the line of the
// call is meant.
static struct answer take_answer(char **text) {
  struct answer answer = {0};
  for (char *function; (function = heddle_symbolized_line(text)) && *function != 0;) {
    char *place = heddle_symbolized_line(text);
    if (!place)
      return (struct answer){0};
    answer.function = function;
    if (!answer.file && strncmp(heddle_source_path(place), HEDDLE_BUILT_IN_FILE, strlen(HEDDLE_BUILT_IN_FILE)) != 0)
      heddle_symbolized_place(place, &answer.file, &answer.line);
  }
  return answer;
}

static bool write_line(const struct answer *answer, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  for (const char *at = answer->file; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 127)
      return false;
  return snprintf(line, HEDDLE_SOURCE_LINE_BYTES, "%s:%" PRIu32, answer->file, answer->line) < HEDDLE_SOURCE_LINE_BYTES;
}

// An instruction that the compiler made of several lines has none: then it is that of the nearest one in front of it,
// in its function.
static bool find_line(char *text, size_t count, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  const struct answer own = take_answer(&text);
  struct answer found = own;
  if (!own.file || strncmp(own.file, "??", 2) == 0)
    return false;
  for (size_t i = 1; i < count && found.line == 0; i++) {
    found = take_answer(&text);
    if (!found.function || strcmp(found.function, own.function) != 0)
      return false;
  }
  return found.file && found.line != 0 && write_line(&found, line);
}

bool heddle_source_line(const void *elf, size_t elf_bytes, uint64_t offset, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  enum { NEAR = 32 };
  char texts[NEAR][24], *addresses[NEAR + 1] = {NULL};
  char *answer = calloc(1, NEAR * ANSWER_BYTES + 1);
  size_t count = 0;
  for (; count < NEAR && 4 * count <= offset; count++) {
    snprintf(texts[count], sizeof texts[count], "0x%" PRIx64, offset - 4 * count);
    addresses[count] = texts[count];
  }
  line[0] = 0;
  const bool known = answer && heddle_symbolize(elf, elf_bytes, addresses, answer, NEAR * ANSWER_BYTES) &&
                     find_line(answer, count, line);
  free(answer);
  if (!known)
    line[0] = 0;
  return known;
}
