// SPDX-License-Identifier: Apache-2.0
// What a result of the compiler depends on, as one number.
#ifndef HEDDLE_CL_CACHE_KEY_H
#define HEDDLE_CL_CACHE_KEY_H

#include "host/cl/cache.h"

// SHA-256 of all of the job, of what the compiler takes from the environment, and of which library, compiler, linker
// and data files there are: where each is, its size, and when it was changed. False: the result depends on more than
// that, as it has the time of day in it, say.
bool heddle_cache_key(const struct heddle_job *job, const char *compiler, uint8_t key[HEDDLE_CACHE_KEY_BYTES]);

// Whether a text asks for what is not in it: the time, or whether a file is there.
bool heddle_cache_text_varies(const void *text, size_t size);

#endif
