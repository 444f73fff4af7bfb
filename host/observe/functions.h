// SPDX-License-Identifier: Apache-2.0
// The functions of a kernel file that are none of its source: built-in functions and what code generation calls. What
// they do is charged to the lines that call them.
#ifndef HEDDLE_OBSERVE_FUNCTIONS_H
#define HEDDLE_OBSERVE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A range of the image.
struct heddle_function {
  uint32_t start, end;
};

// Those without line information, by rising start; the caller frees them. The file may be of any origin. NULL, and
// *count 0: there are none, or nothing is known of them. Runs llvm-symbolizer.
struct heddle_function *heddle_functions_find(const void *elf, size_t elf_bytes, size_t *count);

// Whether an offset of the image is in one of them.
bool heddle_functions_have(const struct heddle_function *functions, size_t count, uint32_t offset);

#endif
