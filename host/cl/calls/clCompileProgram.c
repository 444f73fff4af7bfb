// SPDX-License-Identifier: Apache-2.0
// clCompileProgram: compiles before it returns, with a callback too.
#include <stdlib.h>

#include "host/cl/build.h"
#include "host/cl/calls.h"

static cl_int check_headers(cl_uint count, const cl_program *headers, const char **names) {
  for (cl_uint i = 0; i < count; i++) {
    if (!names[i])
      return CL_INVALID_VALUE;
    if (!heddle_is_program(headers[i]) || !headers[i]->source)
      return CL_INVALID_PROGRAM;
  }
  return CL_SUCCESS;
}

// Compiles for the devices of the list, all of them if it is empty. The first error is what the call returns.
static cl_int compile(cl_program program, cl_uint num_devices, const cl_device_id *devices, const char *options,
                      const struct heddle_input *headers, cl_uint num_headers) {
  cl_int error = CL_SUCCESS;
  pthread_mutex_lock(&program->lock);
  if (!heddle_program_has_source(program) || atomic_load(&program->num_kernels) != 0)
    error = CL_INVALID_OPERATION;
  const cl_uint count = devices ? num_devices : program->num_devices;
  for (cl_uint i = 0; i < count && error != CL_INVALID_OPERATION; i++) {
    const int index = devices ? heddle_program_index(program, devices[i]) : (int)i;
    const cl_int result = heddle_build_object(program, index, options, headers, num_headers);
    if (error == CL_SUCCESS)
      error = result;
  }
  pthread_mutex_unlock(&program->lock);
  return error;
}

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list, const char *options,
                        cl_uint num_input_headers, const cl_program *input_headers, const char **header_include_names,
                        void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data) {
  HEDDLE_CALL;
  if (!heddle_is_program(program))
    return CL_INVALID_PROGRAM;
  if ((num_devices == 0) != !device_list)
    return CL_INVALID_VALUE;
  if (!program->il && ((num_input_headers == 0) != !input_headers || (num_input_headers == 0) != !header_include_names))
    return CL_INVALID_VALUE;
  if (!pfn_notify && user_data)
    return CL_INVALID_VALUE;
  if (program->il)
    num_input_headers = 0;  // "are ignored"
  cl_int error = heddle_program_check_devices(program, num_devices, device_list);
  if (error == CL_SUCCESS)
    error = check_headers(num_input_headers, input_headers, header_include_names);
  if (error != CL_SUCCESS)
    return error;

  struct heddle_input *headers = calloc(num_input_headers + 1, sizeof *headers);
  if (!headers)
    return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < num_input_headers; i++)
    headers[i] =
        (struct heddle_input){header_include_names[i], input_headers[i]->source, input_headers[i]->source_bytes};
  error = compile(program, num_devices, device_list, options, headers, num_input_headers);
  free(headers);
  if (pfn_notify && error != CL_INVALID_OPERATION)
    pfn_notify(program, user_data);
  return error;
}
