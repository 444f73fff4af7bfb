// SPDX-License-Identifier: Apache-2.0
// clCompileProgram: separate compilation is not offered (CL_DEVICE_LINKER_AVAILABLE is false); clBuildProgram is.
#include "host/cl/calls.h"
#include "host/cl/program.h"

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list, const char *options,
                        cl_uint num_input_headers, const cl_program *input_headers, const char **header_include_names,
                        void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data) {
  (void)options;
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  if ((num_devices == 0) != (device_list == NULL))
    return CL_INVALID_VALUE;
  if ((num_input_headers == 0) != (input_headers == NULL) || (num_input_headers == 0) != (header_include_names == NULL))
    return CL_INVALID_VALUE;
  if (!pfn_notify && user_data)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_devices; i++) {
    if (!heddle_is_device(device_list[i]) || heddle_program_index(program, device_list[i]) < 0)
      return CL_INVALID_DEVICE;
  }
  return CL_COMPILER_NOT_AVAILABLE;
}
