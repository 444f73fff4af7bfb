// SPDX-License-Identifier: Apache-2.0
// clSVMAlloc: no device shares memory (CL_DEVICE_SVM_CAPABILITIES is 0).
#include "host/cl/calls.h"

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  HEDDLE_CALL;
  (void)context, (void)flags, (void)size, (void)alignment;
  return NULL;
}
