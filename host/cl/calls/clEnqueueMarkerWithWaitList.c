// SPDX-License-Identifier: Apache-2.0
// clEnqueueMarkerWithWaitList.
#include "host/cl/calls.h"
#include "host/cl/marker.h"

cl_int clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                   const cl_event *event_wait_list, cl_event *event) {
  HEDDLE_CALL;
  return heddle_enqueue_marker(command_queue, CL_COMMAND_MARKER, false, num_events_in_wait_list, event_wait_list,
                               event);
}
