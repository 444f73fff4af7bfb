// SPDX-License-Identifier: Apache-2.0
// The cache's folder, and how much is in it. Also part of the `heddle` command.
#ifndef HEDDLE_CL_CACHE_FOLDER_H
#define HEDDLE_CL_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/error.h"

// Names of entries: of a key's digits, and of one that is being written.
enum { HEDDLE_CACHE_NAME_BYTES = 65 };
#define HEDDLE_CACHE_NEW ".new-"

// Its path in a buffer of PATH_MAX; false: the environment names none.
bool heddle_cache_path(char path[PATH_MAX]);

// $HEDDLE_CACHE_BYTES, 128 MiB if it is not set, 0 for anything but a number: that is no error of a build.
uint64_t heddle_cache_limit(void);

// -EINVAL: it is set to something else than a number, as *error says.
int heddle_cache_check(struct heddle_error *error);

// Its descriptor, for the caller to close; with `make` it is made where it is not there. -1: there is none that is this
// user's alone, and errno says why (EPERM: it is another's, or open to others).
int heddle_cache_open(bool make);

// How many entries there are, and their bytes.
void heddle_cache_count(int folder, size_t *entries, uint64_t *bytes);

// Removes what was used least recently until there is room for all in `limit` bytes, and what others began to write
// and left.
void heddle_cache_trim(int folder, uint64_t limit);

#endif
