// SPDX-License-Identifier: Apache-2.0
// clBuildProgram: builds before it returns, with a callback too.
#include "host/cl/build.h"
#include "host/cl/calls.h"

// Builds for the devices of the list, all of them if it is empty. The first error is what the call returns.
static cl_int build(cl_program program, cl_uint num_devices, const cl_device_id *devices, const char *options) {
  cl_int error = CL_SUCCESS;
  pthread_mutex_lock(&program->lock);
  if (program->linked || atomic_load(&program->num_kernels) != 0)
    error = CL_INVALID_OPERATION;
  const cl_uint count = devices ? num_devices : program->num_devices;
  for (cl_uint i = 0; i < count && error != CL_INVALID_OPERATION; i++) {
    const int index = devices ? heddle_program_index(program, devices[i]) : (int)i;
    const cl_int result = heddle_build_program(program, index, options);
    if (error == CL_SUCCESS)
      error = result;
  }
  pthread_mutex_unlock(&program->lock);
  return error;
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list, const char *options,
                      void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data) {
  HEDDLE_CALL;
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  if (!pfn_notify && user_data)
    return CL_INVALID_VALUE;
  cl_int error = heddle_program_check_devices(program, num_devices, device_list);
  if (error == CL_SUCCESS)
    error = build(program, num_devices, device_list, options);
  else
    return error;
  if (pfn_notify && error != CL_INVALID_OPERATION)
    pfn_notify(program, user_data);
  return error;
}
