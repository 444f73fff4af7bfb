// SPDX-License-Identifier: Apache-2.0
// clGetCommandQueueInfo.
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/queue.h"

static cl_int answer_fault_text(cl_command_queue queue, const struct heddle_answer *answer) {
  pthread_mutex_lock(&heddle_lock);
  const cl_int result = heddle_answer_string(answer, queue->fault_text ? queue->fault_text : "");
  pthread_mutex_unlock(&heddle_lock);
  return result;
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name, size_t param_value_size,
                             void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_queue(queue))
    return CL_INVALID_COMMAND_QUEUE;
  switch (param_name) {
    case CL_QUEUE_CONTEXT:
      return heddle_answer_pointer(&answer, queue->context);
    case CL_QUEUE_DEVICE:
      return heddle_answer_pointer(&answer, queue->device);
    case CL_QUEUE_REFERENCE_COUNT:
      return heddle_answer_uint(&answer, heddle_object_references(queue));
    case CL_QUEUE_PROPERTIES:
      return heddle_answer_bytes(&answer, &queue->properties, sizeof queue->properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
      return heddle_answer_bytes(&answer, queue->properties_array, queue->properties_bytes);
    case CL_QUEUE_DEVICE_DEFAULT:
      return heddle_answer_pointer(&answer, heddle_default_queue(queue->context, queue->device));
    case CL_QUEUE_SIZE:
      return queue->size ? heddle_answer_uint(&answer, queue->size) : CL_INVALID_COMMAND_QUEUE;
    case CL_QUEUE_FAULT_TEXT_HEDDLE:
      return answer_fault_text(queue, &answer);
    default:
      return CL_INVALID_VALUE;
  }
}
