// SPDX-License-Identifier: Apache-2.0
// clEnqueueTask (OpenCL 1.x): one work-item.
#include "host/cl/calls.h"
#include "host/cl/dispatch_command.h"

cl_int clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel, cl_uint num_events_in_wait_list,
                     const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  const size_t one = 1;
  return heddle_enqueue_kernel(command_queue, CL_COMMAND_TASK, kernel, 1, NULL, &one, &one, num_events_in_wait_list,
                               event_wait_list, event);
}
