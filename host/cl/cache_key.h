// SPDX-License-Identifier: Apache-2.0
// The key of a cache entry (cache.h): a hash of all that a result of the compiler depends on. Any thread.
#ifndef HEDDLE_CL_CACHE_KEY_H
#define HEDDLE_CL_CACHE_KEY_H

#include "host/cl/cache.h"

// SHA-256 of the job, of the environment that the compiler reads, and of the library, compiler, linker and data files:
// path, size and time of change of each. `compiler` is the path of heddlec. False: the result depends on more than
// that, for example on the time of day, and must not be stored.
bool heddle_cache_key(const struct heddle_job *job, const char *compiler, uint8_t key[HEDDLE_CACHE_KEY_BYTES]);

// Whether a source text can give another result each time: it uses the time, or asks whether a file exists.
bool heddle_cache_text_varies(const void *text, size_t size);

#endif
