// SPDX-License-Identifier: Apache-2.0
// Finds heddlec's data files relative to the running executable, so that an installation can be moved.
#include "hls/data.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The folder as it is named, which may be relative, or lead nowhere.
static bool named_folder(char path[PATH_MAX]) {
  const char *folder = secure_getenv("HEDDLE_DATA");
  if (folder && folder[0] != 0)
    return snprintf(path, PATH_MAX, "%s", folder) < PATH_MAX;
  char executable[PATH_MAX];
  ssize_t read = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[read > 0 ? read : 0] = 0;
  char *last = strrchr(executable, '/');
  if (last)
    *last = 0;
  return snprintf(path, PATH_MAX, "%s/../share/heddle", executable) < PATH_MAX;
}

bool data_folder(char path[PATH_MAX]) {
  char named[PATH_MAX];
  return named_folder(named) && realpath(named, path);
}

enum status data_path(const char *file, char *path, size_t size) {
  char folder[PATH_MAX] = "";
  if (!data_folder(folder))
    named_folder(folder);
  const int length = snprintf(path, size, "%s/%s", folder, file);
  if (length < 0 || (size_t)length >= size || access(path, R_OK) != 0) {
    fprintf(stderr, "heddlec: data file %s not found; HEDDLE_DATA can name its folder\n", path);
    return STATUS_TOOL_MISSING;
  }
  return STATUS_OK;
}
