// SPDX-License-Identifier: Apache-2.0
// clEnqueueWriteBuffer.
#include "host/cl/calls.h"
#include "host/cl/transfer.h"

cl_int clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
                            size_t size, const void *ptr, cl_uint num_events_in_wait_list,
                            const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  const struct heddle_end from = {.host = (char *)ptr}, to = {.memory = buffer, .offset = offset};
  const struct heddle_box box = {.bytes = size, .rows = 1, .slices = 1};
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, buffer);
  if (error == CL_SUCCESS && (!ptr || !heddle_range_inside(buffer, offset, size)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (buffer->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_WRITE_BUFFER, &from, &to, box, blocking_write,
                         num_events_in_wait_list, event_wait_list, event);
}
