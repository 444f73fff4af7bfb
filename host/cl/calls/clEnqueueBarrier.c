// SPDX-License-Identifier: Apache-2.0
// clEnqueueBarrier (OpenCL 1.x).
#include "host/cl/calls.h"
#include "host/cl/marker.h"

cl_int clEnqueueBarrier(cl_command_queue command_queue) {
  HEDDLE_CALL;
  return heddle_enqueue_marker(command_queue, CL_COMMAND_BARRIER, true, 0, NULL, NULL);
}
