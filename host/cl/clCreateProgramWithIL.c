// SPDX-License-Identifier: Apache-2.0
// clCreateProgramWithIL: no device takes an intermediate language (CL_DEVICE_IL_VERSION is empty).
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length, cl_int *errcode_ret) {
  (void)il, (void)length;
  return heddle_created(errcode_ret, heddle_is_context(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT, NULL);
}
