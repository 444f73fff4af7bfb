// SPDX-License-Identifier: Apache-2.0
// clSetDefaultDeviceCommandQueue: no device has a default queue that can be replaced
// (CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT).
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue command_queue) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  if (!heddle_is_device(device) || heddle_context_index(context, device) < 0)
    return CL_INVALID_DEVICE;
  (void)command_queue;
  return CL_INVALID_OPERATION;
}
