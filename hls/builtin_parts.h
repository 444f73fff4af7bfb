// SPDX-License-Identifier: Apache-2.0
// Which parts of the built-in library a source may use, so that clang need not read the others: of some eleven thousand
// functions each costs it microseconds, whether it is used or not.
#ifndef HEDDLE_HLS_BUILTIN_PARTS_H
#define HEDDLE_HLS_BUILTIN_PARTS_H

#include "contract/status.h"
#include "hls/options.h"

// Adds the names of their files to a list: of all parts if the source is NULL, a file that includes others or pastes
// names together, or one that is long. Words of macros among the options count as those of the source do.
enum status builtin_parts(const char *source, const struct options *options, struct strings *files);

#endif
