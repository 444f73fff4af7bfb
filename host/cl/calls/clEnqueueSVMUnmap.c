// SPDX-License-Identifier: Apache-2.0
// clEnqueueSVMUnmap: no device shares memory.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr, cl_uint num_events_in_wait_list,
                         const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  (void)svm_ptr, (void)num_events_in_wait_list, (void)event_wait_list, (void)event;
  return heddle_is_host_queue(command_queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
