// SPDX-License-Identifier: Apache-2.0
// The formats of images that there are, and what a descriptor says of each (image.h): one table for the host library,
// which offers them and writes descriptors, and for tests that make descriptors themselves.
#ifndef HEDDLE_CONTRACT_IMAGE_FORMAT_H
#define HEDDLE_CONTRACT_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_image_format {
  uint32_t pixel_shift;  // HEDDLE_IMAGE_PIXEL_SHIFT: a pixel has 1 << pixel_shift bytes
  uint32_t reading;      // HEDDLE_IMAGE_READING
  uint32_t form;         // of images of two columns and more: heddle_image_form
};

// Of an order and a channel's type, as CL_RGBA and CL_UNORM_INT8. False: they do not go together (OpenCL API 3.0,
// section 5.3.1.1), or kernels have no code for them.
bool heddle_image_format(uint32_t order, uint32_t type, struct heddle_image_format *format);

// HEDDLE_IMAGE_FORM of an image so many pixels wide.
uint32_t heddle_image_form(const struct heddle_image_format *format, uint32_t width);

#endif
