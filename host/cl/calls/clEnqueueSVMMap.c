// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMMap: from its end on the host may use the memory, until it is unmapped.
#include "host/cl/calls.h"
#include "host/cl/shared.h"

cl_int clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags, void *svm_ptr,
                       size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  struct heddle_shared_place place;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (!svm_ptr || size == 0 || !heddle_map_flags_valid(flags))
    return CL_INVALID_VALUE;
  cl_int error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  if (!heddle_shared_find(command_queue->context, svm_ptr, size, &place))
    return CL_INVALID_VALUE;
  if (!place.memory || place.memory->shared->kind != HEDDLE_SVM) {
    heddle_shared_leave(&place);
    return CL_INVALID_VALUE;
  }
  const struct heddle_mapping wanted = {.offset = place.offset, .box = {size, 1, 1}, .flags = flags};
  const struct heddle_end from = {.memory = place.memory, .offset = place.offset}, to = {.host = svm_ptr};
  const bool contents = (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0;
  void *pointer;
  error = heddle_memory_map(place.memory, &wanted, &pointer);
  if (error == CL_SUCCESS) {
    error =
        heddle_transfer(command_queue, CL_COMMAND_SVM_MAP, &from, &to, (struct heddle_box){contents ? size : 0, 1, 1},
                        blocking_map, num_events_in_wait_list, event_wait_list, event);
    struct heddle_mapping undone;
    if (error != CL_SUCCESS)
      heddle_memory_unmap(place.memory, pointer, &undone);
  }
  heddle_shared_leave(&place);
  return error;
}
