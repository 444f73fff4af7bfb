// SPDX-License-Identifier: Apache-2.0
// Linking a module with what it uses of the built-in library.
#ifndef HEDDLE_HLS_BUILTINS_H
#define HEDDLE_HLS_BUILTINS_H

#include "hls/options.h"

#define CLANG "clang-22"
#define CLANG_MISSING "heddlec: " CLANG " not found: apt-get install clang-22\n"

// Adds the arguments that make clang do it: with the parts of the library that a source may use, or all if it is NULL,
// and with that of double where double is offered.
enum status builtins_add_arguments(struct strings *arguments, const struct options *options, const char *source);

// Does it to SCRATCH_BITCODE, which has been linked from object files.
enum status builtins_link(const struct options *options);

#endif
