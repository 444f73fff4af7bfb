// SPDX-License-Identifier: Apache-2.0
// A colour as the bytes of a pixel, for clEnqueueFillImage.
#ifndef HEDDLE_CL_IMAGE_COLOR_H
#define HEDDLE_CL_IMAGE_COLOR_H

#include <CL/cl.h>

enum { HEDDLE_PIXEL_BYTES_MOST = 16 };

// clEnqueueFillImage's colour, four floats, ints or uints (one float of CL_DEPTH), as the bytes of a pixel of a
// supported format. Rounds to the nearest, and keeps to what the type can hold (sections 8.3.1 and 8.3.2).
void heddle_pixel_of(const cl_image_format *format, const void *colour, unsigned char pixel[HEDDLE_PIXEL_BYTES_MOST]);

#endif
