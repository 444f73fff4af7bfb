// SPDX-License-Identifier: Apache-2.0
// clSetDefaultDeviceCommandQueue: there are no on-device queues (CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES is 0).
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue command_queue) {
  (void)command_queue;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  if (!heddle_is_device(device) || heddle_context_index(context, device) < 0)
    return CL_INVALID_DEVICE;
  return CL_INVALID_OPERATION;
}
