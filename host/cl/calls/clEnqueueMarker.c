// SPDX-License-Identifier: Apache-2.0
// clEnqueueMarker (OpenCL 1.x).
#include "host/cl/calls.h"
#include "host/cl/marker.h"

cl_int clEnqueueMarker(cl_command_queue command_queue, cl_event *event) {
  HEDDLE_CALL;
  if (heddle_is_host_queue(command_queue) && !event)
    return CL_INVALID_VALUE;
  return heddle_enqueue_marker(command_queue, CL_COMMAND_MARKER, false, 0, NULL, event);
}
