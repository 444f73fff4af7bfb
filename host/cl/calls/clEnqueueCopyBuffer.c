// SPDX-License-Identifier: Apache-2.0
// clEnqueueCopyBuffer.
#include "host/cl/calls.h"
#include "host/cl/transfer.h"

// Sub-buffers of one buffer overlap by where they lie in it.
static bool overlap(cl_mem from, size_t from_offset, cl_mem to, size_t to_offset, size_t size) {
  const size_t a = from->origin + from_offset, b = to->origin + to_offset;
  return from->storage == to->storage && a < b + size && b < a + size;
}

cl_int clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                           size_t dst_offset, size_t size, cl_uint num_events_in_wait_list,
                           const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  const struct heddle_end from = {.memory = src_buffer, .offset = src_offset};
  const struct heddle_end to = {.memory = dst_buffer, .offset = dst_offset};
  const struct heddle_box box = {.bytes = size, .rows = 1, .slices = 1};
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, src_buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_queue_buffer(command_queue, dst_buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  if (!heddle_range_inside(src_buffer, src_offset, size) || !heddle_range_inside(dst_buffer, dst_offset, size))
    return CL_INVALID_VALUE;
  if (overlap(src_buffer, src_offset, dst_buffer, dst_offset, size))
    return CL_MEM_COPY_OVERLAP;
  return heddle_transfer(command_queue, CL_COMMAND_COPY_BUFFER, &from, &to, box, false, num_events_in_wait_list,
                         event_wait_list, event);
}
