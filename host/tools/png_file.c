// SPDX-License-Identifier: Apache-2.0
// Pictures as arguments (argument_file.h): PNG files as pixels of the kernel's element type.
#include <stdlib.h>
#include <string.h>

#include "host/tools/argument_file.h"
#include "host/tools/client.h"
#include "host/tools/png_samples.h"

// The samples of a pixel in the kernel's element: grey, red-green-blue, or these with opacity. 0: it is no pixel.
static unsigned samples_of(const struct argument *a) {
  if (a->type.kind == ELEMENT_UNSIGNED && a->type.bytes == 1)
    return a->type.components == 1 || a->type.components == 3 || a->type.components == 4 ? a->type.components : 0;
  return a->type.kind == ELEMENT_UNSIGNED && a->type.bytes == 4 && a->type.components == 1 ? 4 : 0;
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
  const struct png_samples picture = png_samples_read(path, samples_or_die(a, path), a->most_bytes);
  const size_t samples = (size_t)picture.width * picture.height * picture.per_pixel;
  take_numbers(a, path, (char *)picture.samples, samples / a->type.bytes);
  a->dimensions = 2;
  a->shape[0] = picture.height;
  a->shape[1] = picture.width;
  free(picture.samples);
}

void write_png_file(const struct argument *a, const char *path) {
  const unsigned samples = samples_or_die(a, path);
  if (a->dimensions != 2)
    die(EXIT_USAGE,
        "cannot write %s: how wide the picture is is not known; a two-dimensional --global of its size says it", path);
  struct png_samples picture = {(unsigned)a->shape[1], (unsigned)a->shape[0], samples, NULL};
  picture.samples = allocate((size_t)picture.width * picture.height * samples);
  for (size_t i = 0; i < number_of_elements(a) * a->type.components; i++)
    memcpy(picture.samples + i * a->type.bytes, component(a, i), a->type.bytes);
  png_samples_write(path, &picture);
  free(picture.samples);
}
