// SPDX-License-Identifier: Apache-2.0
// clCreateKernelsInProgram.
#include "host/cl/calls.h"
#include "host/cl/kernel.h"

// The executable that has the names.
static const struct heddle_kernel_file *executable(cl_program program) {
  const struct heddle_kernel_file *file = NULL;
  pthread_mutex_lock(&program->lock);
  for (cl_uint i = 0; i < program->num_devices && !file; i++)
    file = program->builds[i].file;
  pthread_mutex_unlock(&program->lock);
  return file;
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels, cl_uint *num_kernels_ret) {
  HEDDLE_CALL;
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  const struct heddle_kernel_file *file = executable(program);
  if (!file)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  if (kernels && num_kernels < file->num_kernels)
    return CL_INVALID_VALUE;
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; kernels && i < file->num_kernels && error == CL_SUCCESS; i++) {
    kernels[i] = heddle_kernel_create(program, file->kernels[i].name, &error);
    // All or none.
    while (error != CL_SUCCESS && i-- > 0)
      heddle_kernel_release(kernels[i]);
    if (error != CL_SUCCESS)
      break;
  }
  if (num_kernels_ret && error == CL_SUCCESS)
    *num_kernels_ret = file->num_kernels;
  return error;
}
