// SPDX-License-Identifier: Apache-2.0
// Embedded headers (clCompileProgram): sources that #include finds by a name, wherever they are.
#ifndef HEDDLE_HLS_HEADERS_H
#define HEDDLE_HLS_HEADERS_H

#include "hls/options.h"

// Adds the arguments with which clang finds each file under its name, before it looks into folders of -I. `headers` is
// name, path, name, path, ...; of two of one name the first counts.
enum status headers_offer(const struct strings *headers, struct strings *arguments);

// Prints a line of clang's to stderr, calling embedded headers by their names.
void headers_say(const char *line);

#endif
