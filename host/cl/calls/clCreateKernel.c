// SPDX-License-Identifier: Apache-2.0
// clCreateKernel.
#include "host/cl/calls.h"
#include "host/cl/kernel.h"

cl_kernel clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_kernel kernel = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_program(program))
    error = CL_INVALID_PROGRAM;
  else if (!heddle_program_has_executable(program))
    error = CL_INVALID_PROGRAM_EXECUTABLE;
  else if (!kernel_name)
    error = CL_INVALID_VALUE;
  else
    kernel = heddle_kernel_create(program, kernel_name, &error);
  return heddle_created(errcode_ret, error, kernel);
}
