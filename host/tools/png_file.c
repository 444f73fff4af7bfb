// SPDX-License-Identifier: Apache-2.0
// Pictures as arguments (argument_file.h): PNG files of any kind, as 8-bit samples, by libpng's simplified interface.
#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/argument_file.h"
#include "host/tools/client.h"

// The samples of a pixel in the kernel's element: grey, red-green-blue, or these with opacity. 0: it is no pixel.
static unsigned samples_of(const struct argument *a) {
  if (a->type.kind == ELEMENT_UNSIGNED && a->type.bytes == 1)
    return a->type.components == 1 || a->type.components == 3 || a->type.components == 4 ? a->type.components : 0;
  return a->type.kind == ELEMENT_UNSIGNED && a->type.bytes == 4 && a->type.components == 1 ? 4 : 0;
}

static png_uint_32 format_of(unsigned samples) {
  return samples == 1 ? PNG_FORMAT_GRAY : samples == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
}

static unsigned samples_or_die(const struct argument *a, const char *path) {
  const unsigned samples = samples_of(a);
  if (samples == 0)
    die(EXIT_USAGE,
        "argument %s: a picture such as %s is uchar (grey), uchar3 (colour), uchar4 or uint (colour and opacity); the "
        "kernel's type is %s",
        a->name, path, a->type_name);
  return samples;
}

void read_png_file(struct argument *a, const char *path) {
  const unsigned samples = samples_or_die(a, path);
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_file(&image, path))
    die(EXIT_USAGE, "cannot read %s: %s", path, image.message);
  if ((size_t)image.width * image.height > a->most_bytes / samples)
    die(EXIT_USAGE, "%s has %u x %u pixels, for which the device has no room", path, image.width, image.height);
  image.format = format_of(samples);
  char *pixels = allocate(PNG_IMAGE_SIZE(image));
  png_color background = {0};  // what is behind a picture that is not opaque, where no opacity is wanted
  if (!png_image_finish_read(&image, &background, pixels, 0, NULL))
    die(EXIT_USAGE, "cannot read %s: %s", path, image.message);
  const size_t numbers = (size_t)image.width * image.height * samples / (a->type.bytes == 4 ? 4 : 1);
  take_numbers(a, path, pixels, numbers);
  a->dimensions = 2;
  a->shape[0] = image.height;
  a->shape[1] = image.width;
  free(pixels);
}

void write_png_file(const struct argument *a, const char *path) {
  const unsigned samples = samples_or_die(a, path);
  if (a->dimensions != 2)
    die(EXIT_USAGE,
        "cannot write %s: how wide the picture is is not known; a two-dimensional --global of its size says it", path);
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)a->shape[1],
                     .height = (png_uint_32)a->shape[0],
                     .format = format_of(samples)};
  char *pixels = allocate(PNG_IMAGE_SIZE(image));
  for (size_t i = 0; i < number_of_elements(a) * a->type.components; i++)
    memcpy(pixels + i * a->type.bytes, component(a, i), a->type.bytes);
  if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL))
    die(EXIT_USAGE, "cannot write %s: %s", path, image.message);
  free(pixels);
}
