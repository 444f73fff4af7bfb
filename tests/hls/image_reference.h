// SPDX-License-Identifier: Apache-2.0
// Image reads and writes as the text of OpenCL C 3.0 has them (sections 6.15.15 and 8), in double where it does not say
// how exact. Written from the text alone: it shares nothing with the built-in library, nor with contract/image.h.
#ifndef HEDDLE_TESTS_HLS_IMAGE_REFERENCE_H
#define HEDDLE_TESTS_HLS_IMAGE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A format of the tables of section 5.3.1.1: an order and a channel's type that go together, as CL_RGBA and
// CL_UNORM_INT8.
struct format {
  uint32_t order, type;
};

// All of them, but for those whose pixels are no power of two bytes.
extern const struct format formats[];
extern const size_t format_count;

size_t format_bytes(struct format format);      // of a pixel
bool format_is_signed(struct format format);    // what read_imagei reads
bool format_is_unsigned(struct format format);  // what read_imageui reads
bool format_is_float(struct format format);     // what read_imagef reads

struct picture {
  struct format format;
  int axes;  // 1, 2, 3
  bool is_array;
  int width, height, depth, layers;  // 1 where there is no such axis
  size_t row_pitch, slice_pitch;
  unsigned char *pixels;
  size_t bytes;
};

enum addressing { ADDRESS_NONE, CLAMP_TO_EDGE, CLAMP_TO_BORDER, REPEAT, MIRRORED_REPEAT };
struct sampler {
  bool normalized, linear;
  enum addressing addressing;
};

// Of read_imagef, or the whole numbers of the others. `tolerance` is how far from them a float may be.
struct colour {
  double values[4];
  double tolerance[4];
  bool is_undefined;  // the text does not say what is read
};

// Of a pixel that is there.
struct colour picture_pixel(const struct picture *picture, int x, int y, int z);

// Reads with a sampler, at coordinates as the kernel gives them: x, y, z, or a layer as the one behind the last.
struct colour picture_sample(const struct picture *picture, struct sampler sampler, const float *coordinates);

// What a write makes of a colour: the whole value of each channel that the pixel has. `slack` is how far from f(x) of
// section 8.3 a value may be.
struct stored {
  int channels;
  double values[4];
  double slack;
  bool is_undefined[4];  // the text does not say what is written
};
struct stored format_store(struct format format, const double *colour);

// The channels of a pixel in memory as whole numbers; of floats and halves, their values.
struct stored format_load(struct format format, const void *pixel);

#endif
