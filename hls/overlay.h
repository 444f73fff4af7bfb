// SPDX-License-Identifier: Apache-2.0
// Where clang sees the source and embedded headers (clCompileProgram): in folders that nobody writes in. What a source
// includes as "x.h" or "../x.h" is then a header of the program's, and never a file that somebody else has put beside
// the compiler's own.
#ifndef HEDDLE_HLS_OVERLAY_H
#define HEDDLE_HLS_OVERLAY_H

#include <limits.h>
#include <stdbool.h>

#include "hls/options.h"

// What the source is called in there. Kernel files keep it (as the symbol of type FILE), so it is no user's name.
#define OVERLAY_SOURCE "heddle-source.cl"

// Writes the path of the source in there, whose text is SCRATCH_SOURCE. STATUS_TOOL_MISSING, explained on stderr: a
// file of heddlec's own is.
enum status overlay_source(char path[PATH_MAX]);

// Adds the arguments with which clang finds the source, and each file under its name before it looks into folders of
// -I. `headers` is name, path, name, path, ...; of two of one name the first counts.
enum status overlay_offer(const struct strings *headers, struct strings *arguments);

// Whether a file that clang has read is an embedded header.
bool overlay_has(const char *path);

// Prints a line of clang's to stderr, calling embedded headers by their names.
void overlay_say(const char *line);

#endif
