// SPDX-License-Identifier: Apache-2.0
// One kernel argument as `heddle run` takes it on the command line, from its text to its bytes and back.
#ifndef HEDDLE_TOOLS_ARGUMENT_H
#define HEDDLE_TOOLS_ARGUMENT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum element_kind { ELEMENT_SIGNED, ELEMENT_UNSIGNED, ELEMENT_FLOAT };

// A scalar or vector type of OpenCL C. Three-component vectors take the room of four.
struct element_type {
  enum element_kind kind;
  unsigned bytes;       // of one component
  unsigned components;  // 1, 2, 3, 4, 8 or 16
};

enum { MOST_DIMENSIONS = 8 };

enum argument_role { ROLE_VALUE, ROLE_BUFFER, ROLE_LOCAL };

struct argument {
  char *name, *type_name;  // as the kernel declares them
  enum argument_role role;
  bool kernel_writes;  // a global pointer that is not const
  bool is_image;       // or a sampler: what no text gives
  struct element_type type;
  char *data;
  size_t bytes;
  size_t shape[MOST_DIMENSIONS];  // of the elements, slowest first, as a file has it
  unsigned dimensions;            // 0: nothing is known of a shape
  cl_mem buffer;                  // of ROLE_BUFFER
  size_t most_bytes;              // that a buffer may have on the device
};

// The kernel's arguments, without data yet; their number in *count. Dies when the kernel file does not describe them.
struct argument *kernel_arguments(cl_kernel kernel, unsigned *count);

// Fills in the argument from the user's text (the grammar is in run.c's --help). Dies with one line on bad text.
void parse_argument(struct argument *argument, const char *text);

// The elements as text on a stream, `most` of them (0: all), wrapped into numbered lines when there are many.
void print_elements(FILE *stream, const struct argument *argument, size_t most);

// Into a file, as its name says: .npy and .png as these, .txt one element a line, .csv rows where the shape has two
// dimensions, else bytes. Dies when it cannot be written.
void save_elements(const struct argument *argument, const char *path);

// Gives the argument this shape if it has none yet and the shape has as many elements.
void give_shape(struct argument *argument, const size_t *shape, unsigned dimensions);

#endif
