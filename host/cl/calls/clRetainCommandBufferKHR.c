// SPDX-License-Identifier: Apache-2.0
// clRetainCommandBufferKHR (cl_khr_command_buffer).
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

cl_int clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  HEDDLE_CALL;
  if (!heddle_is_command_buffer(command_buffer))
    return CL_INVALID_COMMAND_BUFFER_KHR;
  heddle_object_retain(command_buffer);
  return CL_SUCCESS;
}
