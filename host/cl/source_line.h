// SPDX-License-Identifier: Apache-2.0
// From a place in a kernel file to the line of source that it was compiled from.
#ifndef HEDDLE_CL_SOURCE_LINE_H
#define HEDDLE_CL_SOURCE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEDDLE_SOURCE_LINE_BYTES = 256 };

// What stands behind each "./" in front: where it was compiled, of which the symbolizer may say several.
static inline const char *heddle_source_path(const char *path) {
  while (path[0] == '.' && path[1] == '/')
    path += 2;
  return path;
}

// Writes "file:line" of the instruction at `offset` of the image. False, and an empty string, when the file has no line
// information or no llvm-symbolizer is installed (package llvm-22). Thread-safe; takes some ten milliseconds.
bool heddle_source_line(const void *elf, size_t elf_bytes, uint64_t offset, char line[HEDDLE_SOURCE_LINE_BYTES]);

// Runs llvm-symbolizer on a kernel file, which may be of any origin, for addresses in the image, NULL behind the last.
// Functions have their linkage names. The answers, in LLVM's style, go to `answer`, which is zeros and has room
// for answer_bytes and a zero behind. False: it is not installed, failed, or took too long. Thread-safe.
bool heddle_symbolize(const void *elf, size_t elf_bytes, char *const addresses[], char *answer, size_t answer_bytes);

// The next line of its answers, whose end becomes a zero; NULL: there is none. *text moves behind it.
char *heddle_symbolized_line(char **text);

// Splits such a line, "FILE:LINE:COLUMN". False: it is none. *file points into it, behind where it was compiled.
bool heddle_symbolized_place(char *place, const char **file, uint32_t *line);

#endif
