// SPDX-License-Identifier: Apache-2.0
// Files of numbers as arguments of `heddle run`, each as what its name says it is. All die with one line on what
// cannot be: a file of another type or shape than the kernel's argument, one that is cut off.
#ifndef HEDDLE_TOOLS_ARGUMENT_FILE_H
#define HEDDLE_TOOLS_ARGUMENT_FILE_H

#include <stdio.h>

#include "host/tools/argument.h"

// Fills in data and shape. The argument's type is the kernel's.
void read_npy(struct argument *a, const char *path);
void read_png_file(struct argument *a, const char *path);

// The whole argument, with its shape if it has one.
void write_npy(const struct argument *a, const char *path, FILE *file);
void write_png_file(const struct argument *a, const char *path);

// Of argument.c, for these files.
// Copies `count` numbers of the argument's type, which stand without padding; they have to fill whole elements, and of
// a value exactly one.
void take_numbers(struct argument *a, const char *path, const char *numbers, size_t count);
size_t number_of_elements(const struct argument *a);
// Component n of the argument, counted without the padding of three-component vectors.
char *component(const struct argument *a, size_t n);

#endif
