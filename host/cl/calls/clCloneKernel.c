// SPDX-License-Identifier: Apache-2.0
// clCloneKernel: the copy has what was set so far.
#include <stdlib.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/kernel.h"

static bool copy_arguments(cl_kernel from, cl_kernel to) {
  for (uint32_t i = 0; i < from->description->num_arguments; i++) {
    const struct heddle_kernel_argument *source = &from->arguments[i];
    struct heddle_kernel_argument *copy = &to->arguments[i];
    if (copy->channel)
      continue;  // it has its own
    *copy = *source;
    copy->value = NULL;
    if (!source->value)
      continue;
    copy->value = malloc(source->size);
    if (!copy->value)
      return false;
    memcpy(copy->value, source->value, source->size);
  }
  return true;
}

static bool copy_reached(cl_kernel from, cl_kernel to) {
  to->reached_kinds = from->reached_kinds;
  for (size_t i = 0; i < sizeof from->reached / sizeof *from->reached; i++) {
    const struct heddle_reached *source = &from->reached[i];
    const size_t bytes = source->count * sizeof *source->memories;
    to->reached[i].memories = source->count != 0 ? malloc(bytes) : NULL;
    if (source->count != 0 && !to->reached[i].memories)
      return false;
    if (source->count != 0)
      memcpy(to->reached[i].memories, source->memories, bytes);
    to->reached[i].count = source->count;
  }
  return true;
}

cl_kernel clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_kernel(source_kernel))
    return heddle_created(errcode_ret, CL_INVALID_KERNEL, NULL);
  cl_kernel kernel = heddle_kernel_create(source_kernel->program, source_kernel->description->name, &error);
  if (kernel && (!copy_arguments(source_kernel, kernel) || !copy_reached(source_kernel, kernel))) {
    heddle_kernel_release(kernel);
    error = CL_OUT_OF_HOST_MEMORY;
  }
  return heddle_created(errcode_ret, error, kernel);
}
