// SPDX-License-Identifier: Apache-2.0
// What files of the disk a source includes, for callers that keep results (--depend).
#ifndef HEDDLE_HLS_DEPEND_H
#define HEDDLE_HLS_DEPEND_H

#include "hls/options.h"

// Adds the arguments with which clang writes down what it reads.
void depend_ask(const struct options *options, struct strings *arguments);

// Writes options->depend: a line for each file beside the source, embedded headers and what belongs to the compiler,
// with its absolute path, links as they are named; a line of "?" where such a path cannot be told. A line of "!" and a
// path: a file there would be included in the place of one of them. What is linked, or made of SPIR-V, includes none.
enum status depend_tell(const struct options *options);

#endif
