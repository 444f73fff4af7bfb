// SPDX-License-Identifier: Apache-2.0
// clCreateCommandBufferKHR (cl_khr_command_buffer).
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

// Finds the flags, and the list's length in bytes with the final 0.
static cl_int read_properties(const cl_command_buffer_properties_khr *list, cl_command_buffer_flags_khr *flags,
                              size_t *bytes) {
  size_t i = 0;
  *flags = 0;
  for (; list && list[i] != 0; i += 2) {
    const bool again = i != 0;  // there is one name
    if (list[i] != CL_COMMAND_BUFFER_FLAGS_KHR || again || (list[i + 1] & ~CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0)
      return CL_INVALID_VALUE;
    *flags = list[i + 1];
  }
  *bytes = list ? (i + 1) * sizeof *list : 0;
  return CL_SUCCESS;
}

cl_command_buffer_khr clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                               const cl_command_buffer_properties_khr *properties,
                                               cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_command_buffer_flags_khr flags = 0;
  size_t bytes = 0;
  cl_command_buffer_khr buffer = NULL;
  cl_int error = num_queues != 1 || !queues ? CL_INVALID_VALUE : CL_SUCCESS;
  if (error == CL_SUCCESS && !heddle_is_host_queue(queues[0]))
    error = CL_INVALID_COMMAND_QUEUE;
  if (error == CL_SUCCESS)
    error = read_properties(properties, &flags, &bytes);
  if (error == CL_SUCCESS)
    buffer = heddle_command_buffer_create(queues[0], properties, bytes,
                                          (flags & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0, &error);
  return heddle_created(errcode_ret, error, buffer);
}
