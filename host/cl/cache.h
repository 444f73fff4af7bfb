// SPDX-License-Identifier: Apache-2.0
// Results of the compiler on disk, so that a program is compiled once on a machine.
//
// They lie in $HEDDLE_CACHE_DIR, else $XDG_CACHE_HOME/heddle, else ~/.cache/heddle: a folder that has to be this
// user's, closed to all others and no symbolic link, or nothing is kept. No more than $HEDDLE_CACHE_BYTES; what was
// used least recently goes first. Any number of threads and processes may use it at once: an entry is written under
// another name and renamed, and one that is not whole is taken for none and removed. Nothing here is an error to
// anybody: what fails is as if it had not been there.
#ifndef HEDDLE_CL_CACHE_H
#define HEDDLE_CL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/cl/compiler.h"

enum { HEDDLE_CACHE_KEY_BYTES = 32 };

// Whether anything is kept at all; the environment is asked each time.
bool heddle_cache_enabled(void);

// Fills *result as heddle_compile does, if there is an entry and all files that it was made of beside the job's have
// the contents they had.
bool heddle_cache_get(const uint8_t key[HEDDLE_CACHE_KEY_BYTES], struct heddle_compilation *result);

// Keeps a result. `files` are what it was made of beside the job, `since` the time at which that began: where one was
// changed after it, or holds what is another text each time (cache_key.h), the result is not kept.
void heddle_cache_put(const uint8_t key[HEDDLE_CACHE_KEY_BYTES], const struct heddle_compilation *result,
                      const struct heddle_files *files, int64_t since);

#endif
