// SPDX-License-Identifier: Apache-2.0
// clCreateImage2D (OpenCL 1.x).
#include "host/cl/calls.h"

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format, size_t image_width,
                       size_t image_height, size_t image_row_pitch, void *host_ptr, cl_int *errcode_ret) {
  HEDDLE_CALL;
  (void)image_width, (void)image_height, (void)image_row_pitch;
  return clCreateImageWithProperties(context, NULL, flags, image_format, NULL, host_ptr, errcode_ret);
}
