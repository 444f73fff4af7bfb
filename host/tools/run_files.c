// SPDX-License-Identifier: Apache-2.0
// Looks at the files that options name, before and after the kernel ran (run_files.h).
#include "host/tools/run_files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "host/tools/client.h"
#include "host/tools/run_options.h"

enum { FILES_MAX = OUTPUTS_MAX + 8 };  // those of --out, and one of each other option

static struct {
  const char *option, *path;
  bool is_needed;
  int kept;  // what the library writes instead of a device: a file in memory; -1: none
} files[FILES_MAX];
static unsigned count;
static bool are_needed;

// Writes to a device what the library kept for it. False, and why on stderr: not all of it.
static bool pass_on(int kept, const char *path) {
  static char bytes[1 << 16];
  if (lseek(kept, 0, SEEK_END) == 0)
    return true;  // the library was not used, or has said why there is nothing
  FILE *device = fopen(path, "we");
  bool is_written = device && lseek(kept, 0, SEEK_SET) == 0;
  ssize_t length = 0;
  while (is_written && (length = read(kept, bytes, sizeof bytes)) > 0)
    is_written = fwrite(bytes, (size_t)length, 1, device) == 1;
  is_written = is_written && length == 0;
  if (device)
    is_written = fclose(device) == 0 && is_written;
  if (!is_written)
    fprintf(stderr, "heddle: %s cannot be written: %s\n", path, strerror(errno));
  return is_written;
}

// At the end of the program, behind the library.
static void look(void) {
  bool is_there = true;
  for (unsigned i = 0; i < count; i++)
    if (files[i].kept >= 0)
      is_there = pass_on(files[i].kept, files[i].path) && is_there;
    else if (files[i].is_needed)
      is_there = access(files[i].path, F_OK) == 0 && is_there;
  if (is_there || !are_needed)
    return;
  fflush(NULL);
  _exit(EXIT_KERNEL_FAILED);
}

// The path of a file in memory, which ends with the process; the caller's.
static const char *keep(int *kept) {
  enum { PATH_BYTES = 32 };
  char *path = allocate(PATH_BYTES);
  *kept = memfd_create("heddle run", MFD_CLOEXEC);
  if (*kept < 0)
    die(EXIT_KERNEL_FAILED, "no file in memory: %s", strerror(errno));
  snprintf(path, PATH_BYTES, "/proc/self/fd/%d", *kept);
  return path;
}

// Whether a device stands for the file. The library takes the form of a profile from the name's end, which a file in
// memory does not have.
static bool is_kept(bool is_file, const char *path, enum expected_file what) {
  const size_t length = strlen(path);
  return !is_file && what == EXPECTED_OUTPUT && (length < 5 || strcmp(path + length - 5, ".json") != 0);
}

const char *expect_file(const char *option, const char *path, enum expected_file what) {
  bool is_file;
  if (what == EXPECTED_OUTPUT && strcmp(path, "-") == 0)
    return path;
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
  files[count].is_needed = is_file && (what == EXPECTED_FILE || what == EXPECTED_OUTPUT);
  files[count].kept = -1;
  const char *to = is_kept(is_file, path, what) ? keep(&files[count].kept) : path;
  count++;
  return to;
}

void expect_source(const char *path) {
  for (unsigned i = 0; i < count; i++)
    if (heddle_output_file_is(path, files[i].path))
      die(EXIT_USAGE, "%s %s: that is the kernel file itself", files[i].option, files[i].path);
}

void need_files(void) {
  are_needed = true;
}
