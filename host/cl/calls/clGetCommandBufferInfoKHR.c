// SPDX-License-Identifier: Apache-2.0
// clGetCommandBufferInfoKHR (cl_khr_command_buffer).
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"
#include "host/cl/info.h"

static cl_command_buffer_state_khr state_of(cl_command_buffer_khr buffer) {
  pthread_mutex_lock(&heddle_lock);
  const cl_command_buffer_state_khr state = !buffer->finalized     ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
                                            : buffer->pending != 0 ? CL_COMMAND_BUFFER_STATE_PENDING_KHR
                                                                   : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
  pthread_mutex_unlock(&heddle_lock);
  return state;
}

cl_int clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr param_name,
                                 size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_command_buffer(command_buffer))
    return CL_INVALID_COMMAND_BUFFER_KHR;
  switch (param_name) {
    case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
      return heddle_answer_uint(&answer, 1);
    case CL_COMMAND_BUFFER_QUEUES_KHR:
      return heddle_answer_pointer(&answer, command_buffer->queue);
    case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
      return heddle_answer_uint(&answer, heddle_object_references(command_buffer));
    case CL_COMMAND_BUFFER_STATE_KHR:
      return heddle_answer_uint(&answer, state_of(command_buffer));
    case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
      return heddle_answer_bytes(&answer, command_buffer->properties, command_buffer->properties_bytes);
    default:
      return CL_INVALID_VALUE;
  }
}
