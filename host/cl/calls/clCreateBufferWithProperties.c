// SPDX-License-Identifier: Apache-2.0
// clCreateBufferWithProperties.
#include "host/cl/calls.h"
#include "host/cl/memory.h"

static bool too_large(cl_context context, size_t size) {
  for (cl_uint i = 0; i < context->num_devices; i++) {
    const struct heddle_capabilities *capabilities = heddle_capabilities_of(context->devices[i]);
    if (capabilities && size > heddle_max_allocation(capabilities))
      return true;
  }
  return false;
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                    size_t size, void *host_ptr, cl_int *errcode_ret) {
  HEDDLE_CALL;
  const bool pointer_wanted = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  cl_mem memory = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  else if (properties && properties[0] != 0)
    error = CL_INVALID_PROPERTY;  // OpenCL 3.0 defines none
  else if (!heddle_memory_flags_valid(flags))
    error = CL_INVALID_VALUE;
  else if (size == 0 || too_large(context, size))
    error = CL_INVALID_BUFFER_SIZE;
  else if (pointer_wanted != !!host_ptr)
    error = CL_INVALID_HOST_PTR;
  else
    memory = heddle_memory_create(context, flags, size, host_ptr, &error);
  if (memory)
    memory->with_properties = properties;
  return heddle_created(errcode_ret, error, memory);
}
