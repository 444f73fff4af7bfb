// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMUnmap: moves what was mapped for writing.
#include "host/cl/calls.h"
#include "host/cl/shared.h"

cl_int clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr, cl_uint num_events_in_wait_list,
                         const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  struct heddle_shared_place place;
  struct heddle_mapping mapping;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (!svm_ptr)
    return CL_INVALID_VALUE;
  cl_int error = heddle_check_wait_list(command_queue->context, num_events_in_wait_list, event_wait_list);
  if (error != CL_SUCCESS)
    return error;
  heddle_shared_find(command_queue->context, svm_ptr, 1, &place);
  if (!place.memory || !heddle_memory_unmap(place.memory, svm_ptr, &mapping)) {
    heddle_shared_leave(&place);
    return CL_INVALID_VALUE;
  }
  const struct heddle_end from = {.host = svm_ptr}, to = {.memory = place.memory, .offset = mapping.offset};
  const bool written = (mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  error = heddle_transfer(command_queue, CL_COMMAND_SVM_UNMAP, &from, &to,
                          (struct heddle_box){written ? mapping.box.bytes : 0, 1, 1}, false, num_events_in_wait_list,
                          event_wait_list, event);
  heddle_shared_leave(&place);
  return error;
}
