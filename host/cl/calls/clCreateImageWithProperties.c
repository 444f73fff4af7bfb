// SPDX-License-Identifier: Apache-2.0
// clCreateImageWithProperties.
#include "host/cl/calls.h"
#include "host/cl/image.h"

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                   const cl_image_format *image_format, const cl_image_desc *image_desc, void *host_ptr,
                                   cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_mem image = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  else if (properties && properties[0] != 0)
    error = CL_INVALID_PROPERTY;  // OpenCL 3.0 defines none
  else if (!heddle_memory_flags_valid(flags))
    error = CL_INVALID_VALUE;
  else
    image = heddle_image_create(context, flags, image_format, image_desc, host_ptr, &error);
  if (image)
    image->with_properties = properties;
  return heddle_created(errcode_ret, error, image);
}
