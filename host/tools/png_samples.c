// SPDX-License-Identifier: Apache-2.0
// By libpng's simplified interface, which reads every kind of PNG (png_samples.h).
#include "host/tools/png_samples.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/output_file.h"
#include "host/tools/client.h"

static png_uint_32 format_of(unsigned per_pixel) {
  return (per_pixel >= 3 ? PNG_FORMAT_FLAG_COLOR : 0) | (per_pixel % 2 == 0 ? PNG_FORMAT_FLAG_ALPHA : 0);
}

static unsigned samples_of(png_uint_32 format) {
  return (format & PNG_FORMAT_FLAG_COLOR ? 3 : 1) + (format & PNG_FORMAT_FLAG_ALPHA ? 1 : 0);
}

struct png_samples png_samples_read(const char *path, unsigned per_pixel, size_t most_bytes) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  FILE *file = fopen(path, "rb");
  if (!file)
    die(EXIT_USAGE, "cannot open %s: %s", path, strerror(errno));
  if (!png_image_begin_read_from_stdio(&image, file))
    die(EXIT_USAGE, "cannot read %s: it is no PNG picture: %s", path, image.message);
  // Samples of 16 bits are as bright as the same of 8, where the file does not say otherwise; libpng would take them
  // for linear.
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  struct png_samples picture = {image.width, image.height, per_pixel != 0 ? per_pixel : samples_of(image.format), NULL};
  image.format = format_of(picture.per_pixel);
  if ((size_t)image.width * image.height > most_bytes / picture.per_pixel)
    die(EXIT_USAGE, "%s has %u x %u pixels, for which there is no room", path, image.width, image.height);
  picture.samples = allocate(PNG_IMAGE_SIZE(image));
  png_color background = {0};  // what is behind a picture that is not opaque, where no opacity is wanted
  if (!png_image_finish_read(&image, &background, picture.samples, 0, NULL))
    die(EXIT_USAGE, "cannot read %s: it is damaged: %s", path, image.message);
  fclose(file);
  return picture;
}

void png_samples_write(const char *path, const struct png_samples *picture) {
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = picture->width,
                     .height = picture->height,
                     .format = format_of(picture->per_pixel)};
  FILE *file = fopen(path, "wb");
  if (!file)
    die(EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
  // Not by libpng's writer of files, which removes the path, be it a link or a device, where it fails.
  const bool is_written = png_image_write_to_stdio(&image, file, 0, picture->samples, 0, NULL) && fflush(file) == 0;
  const int reason = errno;
  if (fclose(file) != 0 || !is_written) {
    heddle_output_file_withdraw(path);
    die(EXIT_USAGE, "cannot write %s: %s", path, image.message[0] != 0 ? image.message : strerror(reason));
  }
}
