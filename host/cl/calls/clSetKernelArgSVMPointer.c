// SPDX-License-Identifier: Apache-2.0
// clSetKernelArgSVMPointer.
#include "host/cl/calls.h"
#include "host/cl/shared.h"

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
  HEDDLE_CALL;
  return heddle_shared_set_argument(kernel, arg_index, arg_value, 1u << HEDDLE_SVM);
}
