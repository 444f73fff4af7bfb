// SPDX-License-Identifier: Apache-2.0
// clSetKernelArgSVMPointer: no device shares memory (CL_DEVICE_SVM_CAPABILITIES is 0).
#include "host/cl/calls.h"
#include "host/cl/kernel.h"

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
  HEDDLE_CALL;
  (void)arg_index, (void)arg_value;
  return heddle_is_kernel(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}
