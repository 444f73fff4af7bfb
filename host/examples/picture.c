// SPDX-License-Identifier: Apache-2.0
// PNG files as planes of samples (picture.h).
#include "host/examples/picture.h"

#include <stdlib.h>

#include "host/tools/client.h"
#include "host/tools/png_samples.h"

// PNG keeps the samples of a pixel together, the kernels want planes.
static void to_planes(const struct picture *picture, const unsigned char *pixels) {
  const size_t count = (size_t)picture->width * picture->height;
  for (size_t i = 0; i < count; i++)
    for (unsigned p = 0; p < picture->planes; p++)
      picture->samples[p * count + i] = pixels[i * picture->planes + p];
}

static void from_planes(const struct picture *picture, unsigned char *pixels) {
  const size_t count = (size_t)picture->width * picture->height;
  for (size_t i = 0; i < count; i++)
    for (unsigned p = 0; p < picture->planes; p++)
      pixels[i * picture->planes + p] = picture->samples[p * count + i];
}

struct picture read_png(const char *path) {
  const struct png_samples file = png_samples_read(path, 0, (size_t)1 << 31);
  struct picture picture = {file.width, file.height, file.per_pixel, NULL};
  picture.samples = allocate((size_t)file.width * file.height * file.per_pixel);
  to_planes(&picture, file.samples);
  free(file.samples);
  return picture;
}

void write_png(const char *path, const struct picture *picture) {
  const struct png_samples file = {picture->width, picture->height, picture->planes,
                                   allocate((size_t)picture->width * picture->height * picture->planes)};
  from_planes(picture, file.samples);
  png_samples_write(path, &file);
  free(file.samples);
}
