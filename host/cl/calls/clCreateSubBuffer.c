// SPDX-License-Identifier: Apache-2.0
// clCreateSubBuffer.
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/memory.h"

// A sub-buffer may not widen what its buffer allows, and takes no pointer of its own.
static bool flags_valid(cl_mem_flags parent, cl_mem_flags flags) {
  if (!heddle_memory_flags_valid(flags) ||
      (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0)
    return false;
  if ((parent & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0)
    return false;
  if ((parent & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0)
    return false;
  if ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0)
    return false;
  if ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0)
    return false;
  return (parent & CL_MEM_HOST_NO_ACCESS) == 0 || (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) == 0;
}

// What is not said is inherited.
static cl_mem_flags inherit(cl_mem_flags parent, cl_mem_flags flags) {
  const cl_mem_flags kernel_access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const cl_mem_flags host_access = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  if ((flags & kernel_access) == 0)
    flags |= parent & kernel_access;
  if ((flags & host_access) == 0)
    flags |= parent & host_access;
  return flags | (parent & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
                         const void *buffer_create_info, cl_int *errcode_ret) {
  HEDDLE_CALL;
  const cl_buffer_region *region = buffer_create_info;
  cl_mem memory = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_buffer(buffer) || buffer->parent)
    error = CL_INVALID_MEM_OBJECT;
  else if (!flags_valid(buffer->flags, flags))
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
    memory = heddle_memory_create_sub(buffer, inherit(buffer->flags, flags), region->origin, region->size, &error);
  return heddle_created(errcode_ret, error, memory);
}
