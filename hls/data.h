// SPDX-License-Identifier: Apache-2.0
// Where heddlec's own files (built-in library, linker script) are.
#ifndef HEDDLE_HLS_DATA_H
#define HEDDLE_HLS_DATA_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "contract/status.h"

// Writes the path of a data file to path: in $HEDDLE_DATA if that is set, else in ../share/heddle beside the
// executable's folder. STATUS_TOOL_MISSING, explained on stderr, if it is not readable.
enum status data_path(const char *file, char *path, size_t size);

// The folder of all of them, as an absolute path without links. False: it is not there.
bool data_folder(char path[PATH_MAX]);

#endif
