// SPDX-License-Identifier: Apache-2.0
// PNG files of any kind as 8-bit samples, the samples of a pixel together. Used by `heddle run` and by the examples.
// What cannot be read or written ends the program with one line.
#ifndef HEDDLE_TOOLS_PNG_SAMPLES_H
#define HEDDLE_TOOLS_PNG_SAMPLES_H

#include <stddef.h>

struct png_samples {
  unsigned width, height;
  unsigned per_pixel;  // 1 grey, 2 grey and opacity, 3 colour, 4 colour and opacity
  unsigned char *samples;
};

// With so many samples a pixel (0: as many as the file has), in no more bytes than that. The samples are the caller's.
struct png_samples png_samples_read(const char *path, unsigned per_pixel, size_t most_bytes);
void png_samples_write(const char *path, const struct png_samples *picture);

#endif
