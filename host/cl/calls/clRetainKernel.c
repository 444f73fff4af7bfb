// SPDX-License-Identifier: Apache-2.0
// clRetainKernel.
#include "host/cl/calls.h"
#include "host/cl/kernel.h"

cl_int clRetainKernel(cl_kernel kernel) {
  HEDDLE_CALL;
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  heddle_object_retain(kernel);
  return CL_SUCCESS;
}
