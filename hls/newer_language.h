// SPDX-License-Identifier: Apache-2.0
// What to tell those whose kernel is of a newer OpenCL C than it is compiled as.
#ifndef HEDDLE_HLS_NEWER_LANGUAGE_H
#define HEDDLE_HLS_NEWER_LANGUAGE_H

#include "hls/child.h"
#include "hls/options.h"
#include "hls/strings.h"

// After clang refused the source, with its messages in SCRATCH_MESSAGES: if it was compiled as an old version of the
// language, asks clang once more, for the newest, and prints a note with the names that are there then and the option
// that has them. `clang` is the child that was run, and `arguments` are its own, which get more.
void newer_language_explain(const struct options *options, struct child *clang, struct strings *arguments);

#endif
