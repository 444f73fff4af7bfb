// SPDX-License-Identifier: Apache-2.0
// PNG files through libpng's simplified interface, which reads every kind of PNG as 8-bit samples (picture.h).
#include "host/examples/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/client.h"

static png_uint_32 format_of(unsigned planes) {
  return (planes >= 3 ? PNG_FORMAT_FLAG_COLOR : 0) | (planes % 2 == 0 ? PNG_FORMAT_FLAG_ALPHA : 0);
}

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
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path))
    die(EXIT_USAGE, "%s is no PNG picture: %s", path, image.message);
  struct picture picture = {image.width, image.height, 1, NULL};
  if (image.format & PNG_FORMAT_FLAG_COLOR)
    picture.planes += 2;
  if (image.format & PNG_FORMAT_FLAG_ALPHA)
    picture.planes += 1;
  image.format = format_of(picture.planes);
  if (PNG_IMAGE_SIZE(image) > (size_t)1 << 31)
    die(EXIT_USAGE, "%s is too large: %u x %u", path, image.width, image.height);
  unsigned char *pixels = allocate(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, NULL, pixels, 0, NULL))
    die(EXIT_USAGE, "%s is damaged: %s", path, image.message);
  picture.samples = allocate(PNG_IMAGE_SIZE(image));
  to_planes(&picture, pixels);
  free(pixels);
  return picture;
}

void write_png(const char *path, const struct picture *picture) {
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = picture->width,
                     .height = picture->height,
                     .format = format_of(picture->planes)};
  unsigned char *pixels = allocate((size_t)picture->width * picture->height * picture->planes);
  from_planes(picture, pixels);
  if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL))
    die(EXIT_USAGE, "cannot write %s: %s", path, image.message);
  free(pixels);
}
