// SPDX-License-Identifier: Apache-2.0
// clCreateImageWithProperties: no device has images (CL_DEVICE_IMAGE_SUPPORT is false).
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                   const cl_image_format *image_format, const cl_image_desc *image_desc, void *host_ptr,
                                   cl_int *errcode_ret) {
  HEDDLE_CALL;
  (void)properties, (void)flags, (void)image_format, (void)image_desc, (void)host_ptr;
  return heddle_created(errcode_ret, heddle_is_context(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT, NULL);
}
