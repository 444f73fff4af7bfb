// SPDX-License-Identifier: Apache-2.0
// clEnqueueWaitForEvents (OpenCL 1.x): a barrier with a wait list, and with error codes of its own.
#include "host/cl/calls.h"
#include "host/cl/marker.h"

cl_int clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events, const cl_event *event_list) {
  HEDDLE_CALL;
  if (heddle_is_host_queue(command_queue) && (num_events == 0 || !event_list))
    return CL_INVALID_VALUE;
  const cl_int error = heddle_enqueue_marker(command_queue, CL_COMMAND_BARRIER, true, num_events, event_list, NULL);
  return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}
