// SPDX-License-Identifier: Apache-2.0
// clSetKernelExecInfo: all it sets concerns shared virtual memory (CL_DEVICE_SVM_CAPABILITIES is 0).
#include "host/cl/calls.h"
#include "host/cl/kernel.h"

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
                           const void *param_value) {
  HEDDLE_CALL;
  (void)param_name, (void)param_value_size, (void)param_value;
  return heddle_is_kernel(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}
