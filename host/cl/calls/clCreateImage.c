// SPDX-License-Identifier: Apache-2.0
// clCreateImage.
#include "host/cl/calls.h"

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                     const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
  HEDDLE_CALL;
  return clCreateImageWithProperties(context, NULL, flags, image_format, image_desc, host_ptr, errcode_ret);
}
