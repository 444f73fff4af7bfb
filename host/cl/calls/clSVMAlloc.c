// SPDX-License-Identifier: Apache-2.0
// clSVMAlloc: coarse-grained, as CL_DEVICE_SVM_CAPABILITIES says.
#include "host/cl/calls.h"
#include "host/cl/shared.h"

static bool flags_valid(cl_svm_mem_flags flags) {
  const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  return (flags & ~access) == 0 && (flags & (flags - 1)) == 0;
}

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  HEDDLE_CALL;
  const struct heddle_shared wanted = {.kind = HEDDLE_SVM};
  cl_int error;
  if (!heddle_is_context(context) || !flags_valid(flags) || !heddle_shared_alignment_valid(alignment) ||
      !heddle_memory_size_valid(context, size))
    return NULL;
  return heddle_shared_allocate(context, flags, &wanted, size, &error);
}
