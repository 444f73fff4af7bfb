// SPDX-License-Identifier: Apache-2.0
// clCreateProgramWithBuiltInKernels: there are none (CL_DEVICE_BUILT_IN_KERNELS is empty).
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
                                             const char *kernel_names, cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_int error = CL_INVALID_VALUE;
  (void)kernel_names;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  for (cl_uint i = 0; error == CL_INVALID_VALUE && device_list && i < num_devices; i++)
    if (!heddle_is_device(device_list[i]) || heddle_context_index(context, device_list[i]) < 0)
      error = CL_INVALID_DEVICE;
  return heddle_created(errcode_ret, error, NULL);
}
