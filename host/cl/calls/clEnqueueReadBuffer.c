// SPDX-License-Identifier: Apache-2.0
// clEnqueueReadBuffer.
#include "host/cl/calls.h"
#include "host/cl/transfer.h"

cl_int clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read, size_t offset,
                           size_t size, void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event) {
  HEDDLE_CALL;
  const struct heddle_end from = {.memory = buffer, .offset = offset}, to = {.host = ptr};
  const struct heddle_box box = {.bytes = size, .rows = 1, .slices = 1};
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, buffer);
  if (error == CL_SUCCESS && (!ptr || !heddle_range_inside(buffer, offset, size)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (buffer->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_READ_BUFFER, &from, &to, box, blocking_read, num_events_in_wait_list,
                         event_wait_list, event);
}
