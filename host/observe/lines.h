// SPDX-License-Identifier: Apache-2.0
// From the instructions of a kernel file to lines of source, through the functions that were inlined.
#ifndef HEDDLE_OBSERVE_LINES_H
#define HEDDLE_OBSERVE_LINES_H

#include <stddef.h>
#include <stdint.h>

// Where an instruction comes from.
struct heddle_line {
  const char *file;      // NULL: not known
  uint32_t line;         // in it
  const char *function;  // that the line calls and the instruction is of; NULL: none
};

struct heddle_lines {
  size_t count;
  struct heddle_line *lines;
  char **texts;  // that they point to
  size_t num_texts;
};

// The lines of instructions at offsets of the image, in their order. An instruction of a built-in function that was
// inlined has the line of the user's that calls it. One without line information has no file. Runs llvm-symbolizer;
// without it no line is known. NULL: host memory is out. The caller frees the result.
struct heddle_lines *heddle_lines_find(const void *elf, size_t elf_bytes, const uint32_t *offsets, size_t count);
void heddle_lines_free(struct heddle_lines *lines);

#endif
