// SPDX-License-Identifier: Apache-2.0
// Pictures from and to PNG files.
#ifndef HEDDLE_EXAMPLES_PICTURE_H
#define HEDDLE_EXAMPLES_PICTURE_H

#include <stddef.h>

// 8 bits a sample, one plane after the other: grey, grey + alpha, red green blue, or red green blue + alpha.
struct picture {
  unsigned width, height, planes;
  unsigned char *samples;  // width * height * planes; freed by the caller
};

// Reads any PNG (palettes and 16-bit samples become 8-bit ones). Exits with one line when the file is none.
struct picture read_png(const char *path);
// Exits with one line when it cannot be written.
void write_png(const char *path, const struct picture *picture);

#endif
