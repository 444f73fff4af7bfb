// SPDX-License-Identifier: Apache-2.0
// The cache of compiler results on disk, so that a program is compiled once on a machine.
//
// The folder is $HEDDLE_CACHE_DIR, else $XDG_CACHE_HOME/heddle, else ~/.cache/heddle. It must belong to this user, be
// closed to all others, and be no symbolic link; else nothing is kept. The cache has $HEDDLE_CACHE_BYTES at most; the
// entry that was used least recently is removed first.
//
// Threads and processes: any number at once. An entry is written under another name and then renamed. An entry that is
// incomplete counts as absent and is removed. Errors: none. If the cache fails, the compiler is run.
#ifndef HEDDLE_CL_CACHE_H
#define HEDDLE_CL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/cl/compiler.h"

enum { HEDDLE_CACHE_KEY_BYTES = 32 };

// Whether the cache is in use. Reads the environment at each call.
bool heddle_cache_enabled(void);

// Looks an entry up. True: *result is filled as heddle_compile does it, and the caller frees it. An entry counts only
// if the files that it was made of, beside the job's own, still have the same contents.
bool heddle_cache_get(const uint8_t key[HEDDLE_CACHE_KEY_BYTES], struct heddle_compilation *result);

// Stores a result. `files` are the files that it was made of, beside the job's own; `since` is when the compiler was
// started, in nanoseconds of CLOCK_REALTIME. The result is not stored if one of the files was changed after that, or
// has a text that varies (cache_key.h).
void heddle_cache_put(const uint8_t key[HEDDLE_CACHE_KEY_BYTES], const struct heddle_compilation *result,
                      const struct heddle_files *files, int64_t since);

#endif
