// SPDX-License-Identifier: Apache-2.0
// Looks for the files that the library writes at its end (run_files.h).
#include "host/tools/run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/tools/client.h"

enum { FILES_MAX = 4 };

static const char *files[FILES_MAX];
static unsigned count;
static bool are_needed;

// At the end of the program, behind the library.
static void look(void) {
  for (unsigned i = 0; i < count && are_needed; i++) {
    if (access(files[i], F_OK) == 0)
      continue;
    fflush(NULL);
    _exit(EXIT_KERNEL_FAILED);
  }
}

void expect_file(const char *option, const char *path, bool is_needed) {
  struct stat facts;
  const bool was_there = access(path, F_OK) == 0;
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file < 0)
    die(EXIT_USAGE, "%s %s: cannot be written: %s", option, path, strerror(errno));
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
    die(EXIT_USAGE, "%s %s: is no file", option, path);
  close(file);
  if (!was_there)
    unlink(path);
  if (count == 0 && is_needed)
    atexit(look);
  if (count < FILES_MAX && is_needed)
    files[count++] = path;
}

void need_files(void) {
  are_needed = true;
}
