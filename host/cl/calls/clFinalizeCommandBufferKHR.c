// SPDX-License-Identifier: Apache-2.0
// clFinalizeCommandBufferKHR (cl_khr_command_buffer). Twice is CL_INVALID_OPERATION, as later versions have it.
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

cl_int clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  HEDDLE_CALL;
  if (!heddle_is_command_buffer(command_buffer))
    return CL_INVALID_COMMAND_BUFFER_KHR;
  pthread_mutex_lock(&command_buffer->recording);  // a command that another thread records is in it, or is refused
  pthread_mutex_lock(&heddle_lock);
  const cl_int error = command_buffer->finalized ? CL_INVALID_OPERATION : CL_SUCCESS;
  command_buffer->finalized = true;
  pthread_mutex_unlock(&heddle_lock);
  pthread_mutex_unlock(&command_buffer->recording);
  return error;
}
