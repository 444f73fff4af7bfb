// SPDX-License-Identifier: Apache-2.0
// clReleaseKernel.
#include "host/cl/calls.h"
#include "host/cl/kernel.h"

cl_int clReleaseKernel(cl_kernel kernel) {
  HEDDLE_CALL;
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  heddle_kernel_release(kernel);
  return CL_SUCCESS;
}
