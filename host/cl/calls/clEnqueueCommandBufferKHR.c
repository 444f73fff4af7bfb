// SPDX-License-Identifier: Apache-2.0
// clEnqueueCommandBufferKHR (cl_khr_command_buffer).
#include "host/cl/calls.h"
#include "host/cl/command_buffer.h"

// Of CL_INVALID_OPERATION: whether it may be enqueued now.
static cl_int check_state(cl_command_buffer_khr buffer) {
  pthread_mutex_lock(&heddle_lock);
  const bool may = buffer->finalized && (buffer->simultaneous || buffer->pending == 0);
  pthread_mutex_unlock(&heddle_lock);
  return may ? CL_SUCCESS : CL_INVALID_OPERATION;
}

// Whether a queue may stand for the buffer's.
static cl_int check_queue(cl_command_buffer_khr buffer, cl_command_queue queue) {
  if (!heddle_is_host_queue(queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (queue->context != buffer->queue->context)
    return CL_INVALID_CONTEXT;
  return queue->device == buffer->queue->device && queue->properties == buffer->queue->properties
             ? CL_SUCCESS
             : CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
}

cl_int clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_command_buffer(command_buffer))
    return CL_INVALID_COMMAND_BUFFER_KHR;
  cl_int error = check_state(command_buffer);
  if (error == CL_SUCCESS && ((num_queues == 0) != !queues || num_queues > 1))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && queues)
    error = check_queue(command_buffer, queues[0]);
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_buffer->queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  return heddle_enqueue_command_buffer(command_buffer, queues ? queues[0] : command_buffer->queue,
                                       num_events_in_wait_list, event_wait_list, event);
}
