// SPDX-License-Identifier: Apache-2.0
// clCreateSubBuffer.
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/memory.h"

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
                         const void *buffer_create_info, cl_int *errcode_ret) {
  HEDDLE_CALL;
  const cl_buffer_region *region = buffer_create_info;
  cl_mem memory = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_buffer(buffer) || (buffer->parent && !buffer->parent->shared))
    error = CL_INVALID_MEM_OBJECT;
  else if (!heddle_memory_inherit(buffer, &flags))
    error = CL_INVALID_VALUE;
  else if ((buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION &&
            buffer_create_type != CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE) ||
           !region)
    error = CL_INVALID_VALUE;
  else if (region->size == 0)
    error = CL_INVALID_BUFFER_SIZE;
  else if (!heddle_range_inside(buffer, region->origin, region->size))
    error = CL_INVALID_VALUE;
  else if (buffer_create_type == CL_BUFFER_CREATE_TYPE_REGION && region->origin % HEDDLE_BUFFER_ALIGNMENT != 0)
    error = CL_MISALIGNED_SUB_BUFFER_OFFSET;
  else
    memory = heddle_memory_create_sub(buffer, flags, region->origin, region->size, &error);
  return heddle_created(errcode_ret, error, memory);
}
