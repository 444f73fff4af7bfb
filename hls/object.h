// SPDX-License-Identifier: Apache-2.0
// Object files as heddlec writes them (contract/object_file.h).
#ifndef HEDDLE_HLS_OBJECT_H
#define HEDDLE_HLS_OBJECT_H

#include "contract/object_file.h"
#include "hls/options.h"

enum { OBJECT_COMPILER_BYTES = sizeof((struct heddle_object_file *)0)->compiler };

// What object files say of their compiler, "heddlec 0.1, LLVM 22.1.8": bitcode is read only by the version that wrote
// it.
void object_compiler(char compiler[OBJECT_COMPILER_BYTES]);

// Reads a whole file into *bytes, which the caller frees, with room for a zero behind it. STATUS_INVALID_OPTIONS,
// explained on stderr, where it cannot be read; STATUS_REJECTED where nothing of that size is an object file.
enum status object_read_file(const char *path, unsigned char **bytes, size_t *size);

// Makes SCRATCH_IMAGE of SCRATCH_BITCODE, with the kind and the flags that are given.
enum status object_write(const struct options *options, uint32_t kind, uint32_t flags);

// The flags of what is compiled with these options.
uint32_t object_flags(const struct options *options);

#endif
