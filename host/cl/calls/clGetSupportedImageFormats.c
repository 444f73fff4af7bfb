// SPDX-License-Identifier: Apache-2.0
// clGetSupportedImageFormats.
#include "host/cl/calls.h"
#include "host/cl/image.h"
#include "host/cl/image_formats.h"

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                  cl_uint num_entries, cl_image_format *image_formats, cl_uint *num_image_formats) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  if (!heddle_memory_flags_valid(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE))
    return CL_INVALID_VALUE;
  if (!heddle_is_image_type(image_type))
    return CL_INVALID_VALUE;
  if (num_entries == 0 && image_formats)
    return CL_INVALID_VALUE;
  const cl_uint count = heddle_image_formats(flags, image_type, num_entries, image_formats);
  if (num_image_formats)
    *num_image_formats = count;
  return CL_SUCCESS;
}
