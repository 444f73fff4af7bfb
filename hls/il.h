// SPDX-License-Identifier: Apache-2.0
// SPIR-V as input.
#ifndef HEDDLE_HLS_IL_H
#define HEDDLE_HLS_IL_H

#include <stdbool.h>

#include "hls/options.h"

// Whether the input is a SPIR-V module: by its first word.
bool il_is_input(const struct options *options);

// Translates the input to SCRATCH_BITCODE, as clang would have left it of a source, without built-in functions. What is
// wrong with it is explained on stderr (STATUS_REJECTED).
enum status il_run(const struct options *options);

#endif
