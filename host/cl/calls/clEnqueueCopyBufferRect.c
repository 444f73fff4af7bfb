// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyBufferRect.
#include "host/cl/calls.h"
#include "host/cl/rect.h"

cl_int clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                               const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                               size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                               size_t dst_slice_pitch, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, src_buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_queue_buffer(command_queue, dst_buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS && (!src_origin || !dst_origin || !region))
    error = CL_INVALID_VALUE;
  if (error != CL_SUCCESS)
    return error;
  struct heddle_end from = {.memory = src_buffer, .row_pitch = src_row_pitch, .slice_pitch = src_slice_pitch};
  struct heddle_end to = {.memory = dst_buffer, .row_pitch = dst_row_pitch, .slice_pitch = dst_slice_pitch};
  const struct heddle_box box = {region[0], region[1], region[2]};
  if (!heddle_rect_complete(&from, src_origin, region) || !heddle_rect_complete(&to, dst_origin, region))
    return CL_INVALID_VALUE;
  if (src_buffer == dst_buffer && (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch))
    return CL_INVALID_VALUE;
  if (src_buffer->storage == dst_buffer->storage && heddle_boxes_overlap(&from, &to, region))
    return CL_MEM_COPY_OVERLAP;
  return heddle_transfer(command_queue, CL_COMMAND_COPY_BUFFER_RECT, &from, &to, box, false, num_events_in_wait_list,
                         event_wait_list, event);
}
