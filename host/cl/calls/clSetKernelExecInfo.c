// SPDX-License-Identifier: Apache-2.0
// clSetKernelExecInfo: which shared memory a kernel finds pointers to, besides its arguments.
#include <stdlib.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/kernel.h"
#include "host/cl/shared.h"

// The memory that a list of pointers leads to, of these kinds, takes the place of what was set before.
static cl_int set_reached(cl_kernel kernel, struct heddle_reached *reached, unsigned kinds, size_t size,
                          const void *value) {
  const size_t count = size / sizeof(void *);
  if (size % sizeof(void *) != 0 || (size == 0) != !value)
    return CL_INVALID_VALUE;
  cl_mem *memories = malloc((count + 1) * sizeof *memories);
  if (!memories)
    return CL_OUT_OF_HOST_MEMORY;
  bool found = true;
  for (size_t i = 0; i < count && found; i++) {
    struct heddle_shared_place place;
    const void *pointer;
    memcpy(&pointer, (const char *)value + i * sizeof pointer, sizeof pointer);
    heddle_shared_find(kernel->program->context, pointer, 1, &place);
    found = place.memory && (kinds >> place.memory->shared->kind & 1) != 0;
    memories[i] = place.memory;
    heddle_shared_leave(&place);
  }
  if (!found) {
    free(memories);
    return CL_INVALID_VALUE;
  }
  free(reached->memories);
  *reached = (struct heddle_reached){.memories = memories, .count = (cl_uint)count};
  return CL_SUCCESS;
}

static cl_int set_kind(cl_kernel kernel, enum heddle_shared_kind kind, size_t size, const void *value) {
  cl_bool is_set;
  if (size != sizeof is_set || !value)
    return CL_INVALID_VALUE;
  memcpy(&is_set, value, sizeof is_set);
  kernel->reached_kinds &= ~(1u << kind);
  kernel->reached_kinds |= (is_set ? 1u : 0u) << kind;
  return CL_SUCCESS;
}

// There is no such memory.
static cl_int set_fine_grain(size_t size, const void *value) {
  cl_bool is_set;
  if (size != sizeof is_set || !value)
    return CL_INVALID_VALUE;
  memcpy(&is_set, value, sizeof is_set);
  return is_set ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
                           const void *param_value) {
  HEDDLE_CALL;
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  switch (param_name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
      return set_reached(kernel, &kernel->reached[0], 1u << HEDDLE_SVM, param_value_size, param_value);
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
      return set_reached(kernel, &kernel->reached[1],
                         1u << HEDDLE_USM_HOST | 1u << HEDDLE_USM_DEVICE | 1u << HEDDLE_USM_SHARED, param_value_size,
                         param_value);
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
      return set_kind(kernel, HEDDLE_USM_HOST, param_value_size, param_value);
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
      return set_kind(kernel, HEDDLE_USM_DEVICE, param_value_size, param_value);
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
      return set_kind(kernel, HEDDLE_USM_SHARED, param_value_size, param_value);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
      return set_fine_grain(param_value_size, param_value);
    default:
      return CL_INVALID_VALUE;
  }
}
