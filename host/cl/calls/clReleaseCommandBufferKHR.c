// SPDX-License-Identifier: Apache-2.0
// clReleaseCommandBufferKHR (cl_khr_command_buffer). One that is enqueued stays until it has run.
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

cl_int clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  HEDDLE_CALL;
  if (!heddle_is_command_buffer(command_buffer))
    return CL_INVALID_COMMAND_BUFFER_KHR;
  heddle_command_buffer_release(command_buffer);
  return CL_SUCCESS;
}
