// SPDX-License-Identifier: Apache-2.0
// Finds heddlec's data files relative to the running executable, so that an installation can be moved.
#include "hls/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status data_path(const char *file, char *path, size_t size) {
  const char *folder = getenv("HEDDLE_DATA");
  int length;
  if (folder != NULL && folder[0] != 0) {
    length = snprintf(path, size, "%s/%s", folder, file);
  } else {
    char executable[4096];
    ssize_t read = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[read > 0 ? read : 0] = 0;
    char *last = strrchr(executable, '/');
    if (last != NULL) {
      *last = 0;
    }
    length = snprintf(path, size, "%s/../share/heddle/%s", executable, file);
  }
  if (length < 0 || (size_t)length >= size || access(path, R_OK) != 0) {
    fprintf(stderr, "heddlec: data file %s not found; HEDDLE_DATA can name its folder\n", path);
    return STATUS_TOOL_MISSING;
  }
  return STATUS_OK;
}
