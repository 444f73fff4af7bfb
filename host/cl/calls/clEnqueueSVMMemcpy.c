// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMMemcpy.
#include "host/cl/calls.h"
#include "host/cl/shared.h"

cl_int clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void *dst_ptr, const void *src_ptr,
                          size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                          cl_event *event) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  return heddle_shared_copy(command_queue, CL_COMMAND_SVM_MEMCPY, blocking_copy, dst_ptr, src_ptr, size,
                            num_events_in_wait_list, event_wait_list, event);
}
