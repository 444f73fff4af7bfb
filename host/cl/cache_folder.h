// SPDX-License-Identifier: Apache-2.0
// The folder of the compiler's cache (cache.h) and its size. The `heddle` command uses this, too. Any thread.
#ifndef HEDDLE_CL_CACHE_FOLDER_H
#define HEDDLE_CL_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/error.h"

// The bytes of an entry's name, 64 digits of its key and a 0; and how the name of an entry that is being written
// begins.
enum { HEDDLE_CACHE_NAME_BYTES = 65 };
#define HEDDLE_CACHE_NEW ".new-"

// Writes the path of the folder. False: the environment names no folder.
bool heddle_cache_path(char path[PATH_MAX]);

// The most bytes of all entries: $HEDDLE_CACHE_BYTES; 128 MiB if it is not set; 0, so no cache, if it is not a number.
uint64_t heddle_cache_limit(void);

// 0, or -EINVAL if $HEDDLE_CACHE_BYTES is set and is not a number; *error says so.
int heddle_cache_check(struct heddle_error *error);

// Opens the folder, and creates it before if `make` is set. Returns a descriptor that the caller closes. -1: errno says
// why (EPERM: it belongs to another user, or others may use it).
int heddle_cache_open(bool make);

// Counts the entries and their bytes. `folder` is a descriptor of heddle_cache_open.
void heddle_cache_count(int folder, size_t *entries, uint64_t *bytes);

// Removes entries, least recently used first, until the others have `limit` bytes at most. Also removes files that
// other processes began to write and left.
void heddle_cache_trim(int folder, uint64_t limit);

#endif
