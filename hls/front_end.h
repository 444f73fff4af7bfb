// SPDX-License-Identifier: Apache-2.0
// OpenCL C source to LLVM bitcode.
#ifndef HEDDLE_HLS_FRONT_END_H
#define HEDDLE_HLS_FRONT_END_H

#include "hls/options.h"

// Compiles the input to SCRATCH_BITCODE by running clang, in MODE_BUILD with what it uses of the built-in library.
// Diagnostics of the kernel go to stderr as clang writes them.
enum status front_end_run(const struct options *options);

#endif
