// SPDX-License-Identifier: Apache-2.0
// Loads a bitstream into a board, by the program that `heddle flash` and `make flash` run, too (reconfigure.h).
#include "host/cl/reconfigure.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/program.h"
#include "contract/status.h"
#include "contract/work_folder.h"
#include "host/cl/child.h"
#include "host/cl/compiler.h"

enum { SECONDS = 660, LOG_BYTES = 1 << 16 };

// What flash.py says of a failure stands last, behind "flash: ".
static const char *reason(const char *log) {
  const char *found = NULL;
  for (const char *at = strstr(log, "flash: "); at; at = strstr(at + 1, "flash: "))
    found = at + strlen("flash: ");
  return found ? found : log;
}

static int run(const char *python, const char *script, const char *path, const char *board,
               struct heddle_error *error) {
  char *const arguments[] = {(char *)python, (char *)script, "--bitstream", (char *)path, (char *)board, NULL};
  char *log = calloc(1, LOG_BYTES + 1);
  if (!log)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  const int status = heddle_child_run(arguments, NULL, SECONDS, log, LOG_BYTES);
  if (status != STATUS_OK) {
    const char *why = reason(log);
    heddle_fail(error, -EIO, "%.*s", (int)strcspn(why, "\n"), *why ? why : "the loader says nothing");
  }
  free(log);
  return status == STATUS_OK ? 0 : -EIO;
}

int heddle_bitstream_load(const struct heddle_fat_part *part, struct heddle_error *error) {
  char compiler[PATH_MAX], script[PATH_MAX + 64], python[PATH_MAX], folder[PATH_MAX], path[PATH_MAX + 32];
  const char *slash = heddle_compiler_find(compiler) ? strrchr(compiler, '/') : NULL;
  if (!slash)
    return heddle_fail(error, -ENOENT, "heddlec is not there, beside which the loader is ($HEDDLEC)");
  snprintf(script, sizeof script, "%.*s/../share/heddle/constraints/flash.py", (int)(slash - compiler), compiler);
  if (access(script, R_OK) != 0)
    return heddle_fail(error, -ENOENT, "%.200s is missing: Heddle is not installed whole", script);
  if (!heddle_program_find("python3", python))
    return heddle_fail(error, -ENOENT, "python3 is not there, which runs the loader");
  const int owned = heddle_work_folder_make(folder, sizeof folder);
  if (owned < 0)
    return heddle_fail(error, -errno, "%.160s: %s", folder, strerror(errno));
  snprintf(path, sizeof path, "%s/bitstream", folder);
  int result = heddle_child_write_file(path, part->bytes, part->size)
                   ? 0
                   : heddle_fail(error, -EIO, "%.160s cannot be written", path);
  if (result == 0)
    result = run(python, script, path, part->name, error);
  heddle_work_folder_remove(folder);
  close(owned);
  return result;
}
