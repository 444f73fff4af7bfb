// SPDX-License-Identifier: Apache-2.0
// clEnqueueReadBufferRect.
#include "host/cl/calls.h"
#include "host/cl/rect.h"

cl_int clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                               const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                               size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                               size_t host_slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, buffer);
  if (error == CL_SUCCESS && (!ptr || !buffer_origin || !host_origin || !region))
    error = CL_INVALID_VALUE;
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end from = {.memory = buffer, .row_pitch = buffer_row_pitch, .slice_pitch = buffer_slice_pitch};
  struct heddle_end to = {.host = ptr, .row_pitch = host_row_pitch, .slice_pitch = host_slice_pitch};
  const struct heddle_box box = {region[0], region[1], region[2]};
  if (!heddle_rect_complete(&from, buffer_origin, region) || !heddle_rect_complete(&to, host_origin, region))
    return CL_INVALID_VALUE;
  error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (buffer->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return error;
  return heddle_transfer(command_queue, CL_COMMAND_READ_BUFFER_RECT, &from, &to, box, blocking_read,
                         num_events_in_wait_list, event_wait_list, event);
}
