// SPDX-License-Identifier: Apache-2.0
// clEnqueueMapBuffer: the pointer is known at once, its contents when the command is done.
#include "host/cl/calls.h"
#include "host/cl/transfer.h"

void *clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map, cl_map_flags map_flags,
                         size_t offset, size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                         cl_event *event, cl_int *errcode_ret) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return heddle_created(errcode_ret, CL_INVALID_COMMAND_QUEUE, NULL);
  cl_int error = heddle_check_queue_buffer(command_queue, buffer);
  if (error == CL_SUCCESS)
    error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error == CL_SUCCESS &&
      (size == 0 || !heddle_range_inside(buffer, offset, size) || !heddle_map_flags_valid(map_flags)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && !heddle_map_allowed(buffer, map_flags))
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return heddle_created(errcode_ret, error, NULL);

  void *pointer;
  const struct heddle_mapping wanted = {.offset = offset, .box = {size, 1, 1}, .flags = map_flags};
  error = heddle_memory_map(buffer, &wanted, &pointer);
  if (error != CL_SUCCESS)
    return heddle_created(errcode_ret, error, NULL);
  const struct heddle_end from = {.memory = buffer, .offset = offset}, to = {.host = pointer};
  const bool contents = (map_flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0;
  const struct heddle_box box = {.bytes = contents ? size : 0, .rows = 1, .slices = 1};
  error = heddle_transfer(command_queue, CL_COMMAND_MAP_BUFFER, &from, &to, box, blocking_map, num_events_in_wait_list,
                          event_wait_list, event);
  if (error != CL_SUCCESS) {
    struct heddle_mapping undone;
    heddle_memory_unmap(buffer, pointer, &undone);
  }
  return heddle_created(errcode_ret, error, pointer);
}
