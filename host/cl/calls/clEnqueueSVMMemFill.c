// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMMemFill.
#include "host/cl/calls.h"
#include "host/cl/shared.h"

cl_int clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr, const void *pattern, size_t pattern_size,
                           size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event) {
  HEDDLE_CALL;
  const struct heddle_pattern filled = {.size = pattern_size, .bytes = pattern};
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  return heddle_shared_fill(command_queue, CL_COMMAND_SVM_MEMFILL, svm_ptr, &filled, size, num_events_in_wait_list,
                            event_wait_list, event);
}
