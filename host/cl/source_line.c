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

bool heddle_symbolize(const void *elf, size_t elf_bytes, const char *functions, char *const addresses[], char *answer,
                      size_t answer_bytes) {
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
    char *const options[OPTIONS] = {NULL, object, (char *)functions, "--output-style=LLVM"};
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

// The answer is lines of "FILE:LINE:COLUMN", innermost inlined function first, "??:0:0" when nothing is known. Of what
// is of a built-in function the line of the call is meant.
static bool take_line(char *answer, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  while (strncmp(heddle_source_path(answer), HEDDLE_BUILT_IN_FILE, strlen(HEDDLE_BUILT_IN_FILE)) == 0) {
    char *end = strchr(answer, '\n');
    if (!end)
      return false;
    answer = end + 1;
  }
  answer[strcspn(answer, "\n")] = 0;
  char *column = strrchr(answer, ':');
  if (!column)
    return false;
  *column = 0;
  const char *number = strrchr(answer, ':');
  if (!number || strtoul(number + 1, NULL, 10) == 0)
    return false;
  const char *file = heddle_source_path(answer);
  for (const char *at = file; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 127)
      return false;
  return snprintf(line, HEDDLE_SOURCE_LINE_BYTES, "%s", file) < HEDDLE_SOURCE_LINE_BYTES;
}

bool heddle_source_line(const void *elf, size_t elf_bytes, uint64_t offset, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  char address[24], answer[ANSWER_BYTES + 1] = "";
  char *const addresses[] = {address, NULL};
  snprintf(address, sizeof address, "0x%" PRIx64, offset);
  line[0] = 0;
  const bool known =
      heddle_symbolize(elf, elf_bytes, "--functions=none", addresses, answer, ANSWER_BYTES) && take_line(answer, line);
  if (!known)
    line[0] = 0;
  return known;
}
