// SPDX-License-Identifier: Apache-2.0
// clLinkProgram: not offered (CL_DEVICE_LINKER_AVAILABLE is false).
#include "host/cl/calls.h"
#include "host/cl/program.h"

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list, const char *options,
                         cl_uint num_input_programs, const cl_program *input_programs,
                         void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
                         cl_int *errcode_ret) {
  (void)options;
  cl_int error = CL_LINKER_NOT_AVAILABLE;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  else if ((num_devices == 0) != (device_list == NULL) || num_input_programs == 0 || !input_programs ||
           (!pfn_notify && user_data))
    error = CL_INVALID_VALUE;
  for (cl_uint i = 0; error == CL_LINKER_NOT_AVAILABLE && i < num_input_programs; i++) {
    if (!heddle_is_program(input_programs[i]))
      error = CL_INVALID_PROGRAM;
  }
  for (cl_uint i = 0; error == CL_LINKER_NOT_AVAILABLE && i < num_devices; i++) {
    if (!heddle_is_device(device_list[i]) || heddle_context_index(context, device_list[i]) < 0)
      error = CL_INVALID_DEVICE;
  }
  return heddle_created(errcode_ret, error, NULL);
}
