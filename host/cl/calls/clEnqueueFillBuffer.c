// SPDX-License-Identifier: Apache-2.0
// clEnqueueFillBuffer.
#include "host/cl/calls.h"
#include "host/cl/transfer.h"

static bool pattern_size_valid(size_t size) {
  return size != 0 && size <= HEDDLE_FILL_PATTERN_MOST && (size & (size - 1)) == 0;
}

cl_int clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                           size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  cl_int error = heddle_check_queue_buffer(command_queue, buffer);
  if (error == CL_SUCCESS && !heddle_range_inside(buffer, offset, size))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && (!pattern || !pattern_size_valid(pattern_size)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && (offset % pattern_size != 0 || size % pattern_size != 0))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  const struct heddle_end to = {.memory = buffer, .offset = offset};
  const struct heddle_box box = {.bytes = size, .rows = 1, .slices = 1};
  const struct heddle_pattern filled = {.size = pattern_size, .bytes = pattern};
  return heddle_fill(command_queue, CL_COMMAND_FILL_BUFFER, &to, box, &filled, num_events_in_wait_list, event_wait_list,
                     event);
}
