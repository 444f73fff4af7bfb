// SPDX-License-Identifier: Apache-2.0
// The cache's folder, and how much is in it.
#ifndef HEDDLE_CL_CACHE_FOLDER_H
#define HEDDLE_CL_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// Names of entries: of a key's digits, and of one that is being written.
enum { HEDDLE_CACHE_NAME_BYTES = 65 };
#define HEDDLE_CACHE_NEW ".new-"

// Its path in a buffer of PATH_MAX; false: the environment names none.
bool heddle_cache_path(char path[PATH_MAX]);

// $HEDDLE_CACHE_BYTES, 128 MiB if it is not set, 0 for anything but a number.
uint64_t heddle_cache_limit(void);

// Its descriptor, for the caller to close; it is made where it is not there. -1: there is none that is this user's
// alone.
int heddle_cache_open(void);

// Removes what was used least recently until there is room for all in `limit` bytes, and what others began to write
// and left.
void heddle_cache_trim(int folder, uint64_t limit);

#endif
