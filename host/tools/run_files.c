// SPDX-License-Identifier: Apache-2.0
// Looks at the files that options name, before and after the kernel ran (run_files.h).
#include "host/tools/run_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "host/tools/client.h"
#include "host/tools/run_options.h"

enum { FILES_MAX = OUTPUTS_MAX + 8 };  // those of --out, and one of each other option

static struct {
  const char *option, *path;
  bool is_needed;
} files[FILES_MAX];
static unsigned count;
static bool are_needed;

// At the end of the program, behind the library.
static void look(void) {
  for (unsigned i = 0; i < count && are_needed; i++) {
    if (!files[i].is_needed || access(files[i].path, F_OK) == 0)
      continue;
    fflush(NULL);
    _exit(EXIT_KERNEL_FAILED);
  }
}

void expect_file(const char *option, const char *path, enum expected_file what) {
  bool is_file;
  if (what == EXPECTED_OUTPUT && strcmp(path, "-") == 0)
    return;
  const int error = heddle_output_file_probe(path, &is_file);
  if (error != 0)
    die(EXIT_USAGE, "%s %s: cannot be written: %s", option, path, strerror(-error));
  if (!is_file && (what == EXPECTED_FILE || what == EXPECTED_FILE_OR_NONE))
    die(EXIT_USAGE, "%s %s: is no file", option, path);
  for (unsigned i = 0; i < count; i++)
    if (heddle_output_file_is(path, files[i].path))
      die(EXIT_USAGE, "%s %s: %s writes the same file", option, path, files[i].option);
  if (count == FILES_MAX)
    die(EXIT_USAGE, "more than %d files to write", FILES_MAX);
  if (count == 0)
    atexit(look);
  files[count].option = option;
  files[count].path = path;
  files[count++].is_needed = is_file && (what == EXPECTED_FILE || what == EXPECTED_OUTPUT);
}

void expect_source(const char *path) {
  for (unsigned i = 0; i < count; i++)
    if (heddle_output_file_is(path, files[i].path))
      die(EXIT_USAGE, "%s %s: that is the kernel file itself", files[i].option, files[i].path);
}

void need_files(void) {
  are_needed = true;
}
