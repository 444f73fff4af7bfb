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

#include "contract/status.h"
#include "contract/work_folder.h"
#include "host/cl/child.h"

enum { SECONDS = 5, ANSWER_BYTES = 4096 };

// The first answer that can be had: distributions install it with and without the version in its name.
static int ask(const char *folder, const char *object, const char *address, char *answer) {
  const char *const readable[] = {folder, NULL};
  const struct heddle_jail jail = {.runs_program = true, .readable = readable};
  static const char *const names[] = {"/usr/bin/llvm-symbolizer-22", "/usr/bin/llvm-symbolizer"};
  int status = STATUS_TOOL_MISSING;
  for (size_t i = 0; i < sizeof names / sizeof *names && status == STATUS_TOOL_MISSING; i++) {
    char *const arguments[] = {(char *)names[i],      (char *)object,  "--functions=none",
                               "--output-style=LLVM", (char *)address, NULL};
    status = heddle_child_run(arguments, &jail, SECONDS, answer, ANSWER_BYTES);
  }
  return status;
}

// The answer is "FILE:LINE:COLUMN", innermost inlined function first, "??:0:0" when nothing is known.
static bool take_line(char *answer, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  answer[strcspn(answer, "\n")] = 0;
  char *column = strrchr(answer, ':');
  if (!column)
    return false;
  *column = 0;
  const char *number = strrchr(answer, ':');
  if (!number || strtoul(number + 1, NULL, 10) == 0)
    return false;
  const char *file = strncmp(answer, "./", 2) == 0 ? answer + 2 : answer;
  for (const char *at = file; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 127)
      return false;
  return snprintf(line, HEDDLE_SOURCE_LINE_BYTES, "%s", file) < HEDDLE_SOURCE_LINE_BYTES;
}

bool heddle_source_line(const void *elf, size_t elf_bytes, uint64_t offset, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  char folder[PATH_MAX], path[PATH_MAX], object[PATH_MAX], address[24], answer[ANSWER_BYTES + 1] = "";
  bool known = false;
  line[0] = 0;
  const int lock = heddle_work_folder_make(folder, sizeof folder);
  if (lock < 0)
    return false;
  if (snprintf(path, sizeof path, "%s/program.elf", folder) < PATH_MAX &&
      snprintf(object, sizeof object, "--obj=%s", path) < PATH_MAX) {
    snprintf(address, sizeof address, "0x%" PRIx64, offset);
    if (heddle_child_write_file(path, elf, elf_bytes))
      known = ask(folder, object, address, answer) == STATUS_OK && take_line(answer, line);
  }
  heddle_work_folder_remove(folder);
  close(lock);
  if (!known)
    line[0] = 0;
  return known;
}
