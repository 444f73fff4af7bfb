// SPDX-License-Identifier: Apache-2.0
// clCreateImage2D (OpenCL 1.x).
#include "host/cl/calls.h"
#include "host/cl/image.h"

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format, size_t image_width,
                       size_t image_height, size_t image_row_pitch, void *host_ptr, cl_int *errcode_ret) {
  HEDDLE_CALL;
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = image_width,
                              .image_height = image_height,
                              .image_row_pitch = image_row_pitch};
  cl_int error;
  cl_mem image = clCreateImageWithProperties(context, NULL, flags, image_format, &desc, host_ptr, &error);
  // Sizes and pitches have a code of their own here.
  return heddle_created(errcode_ret, error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error, image);
}
