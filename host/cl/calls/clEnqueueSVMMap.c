// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMMap: no device shares memory.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags, void *svm_ptr,
                       size_t size, cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)blocking_map, (void)flags, (void)svm_ptr, (void)size;
  (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_is_host_queue(command_queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
