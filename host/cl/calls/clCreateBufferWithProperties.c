// SPDX-License-Identifier: Apache-2.0
// clCreateBufferWithProperties. OpenCL 3.0 defines no property, and Heddle one.
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/memory.h"
#include "host/cl/shared.h"

// A buffer on memory of clSVMAlloc is that memory. *error: it is longer than that.
static cl_mem on_shared(cl_context context, cl_mem_flags flags, size_t size, const void *host_ptr, cl_int *error) {
  struct heddle_shared_place place;
  if (!heddle_shared_find(context, host_ptr, size, &place)) {
    *error = CL_INVALID_BUFFER_SIZE;
    return NULL;
  }
  const bool is_svm = place.memory && place.memory->shared->kind == HEDDLE_SVM;
  cl_mem memory = is_svm ? heddle_memory_create_sub(place.memory, flags, place.offset, size, error) : NULL;
  if (memory)
    memory->host_ptr = (void *)(uintptr_t)host_ptr;
  heddle_shared_leave(&place);
  return memory;
}

static bool take_properties(const cl_mem_properties *properties, uint32_t *alignment) {
  enum { MOST = 65536 };
  *alignment = 0;
  if (!properties || properties[0] == 0)
    return true;
  const cl_mem_properties wanted = properties[1];
  if (properties[0] != CL_MEM_ALIGNMENT_HEDDLE || wanted == 0 || wanted > MOST || (wanted & (wanted - 1)) != 0 ||
      properties[2] != 0)
    return false;
  *alignment = (uint32_t)wanted;
  return true;
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                    size_t size, void *host_ptr, cl_int *errcode_ret) {
  HEDDLE_CALL;
  const bool pointer_wanted = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  uint32_t alignment;
  cl_mem memory = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  else if (!take_properties(properties, &alignment))
    error = CL_INVALID_PROPERTY;
  else if (!heddle_memory_flags_valid(flags))
    error = CL_INVALID_VALUE;
  else if (!heddle_memory_size_valid(context, size))
    error = CL_INVALID_BUFFER_SIZE;
  else if (pointer_wanted != !!host_ptr || heddle_shared_is_hidden(context, host_ptr))
    error = CL_INVALID_HOST_PTR;
  else if ((flags & CL_MEM_USE_HOST_PTR) != 0)
    memory = on_shared(context, flags, size, host_ptr, &error);
  if (error == CL_SUCCESS && !memory)
    memory = heddle_memory_create(context, flags, size, alignment, host_ptr, &error);
  if (memory)
    memory->with_properties = properties;
  return heddle_created(errcode_ret, error, memory);
}
