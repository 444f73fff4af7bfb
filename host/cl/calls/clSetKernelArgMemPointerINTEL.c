// SPDX-License-Identifier: Apache-2.0
// clSetKernelArgMemPointerINTEL (cl_intel_unified_shared_memory).
#include "host/cl/calls.h"
#include "host/cl/shared.h"

cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
  HEDDLE_CALL;
  return heddle_shared_set_argument(kernel, arg_index, arg_value,
                                    1u << HEDDLE_USM_HOST | 1u << HEDDLE_USM_DEVICE | 1u << HEDDLE_USM_SHARED);
}
