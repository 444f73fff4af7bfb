// SPDX-License-Identifier: Apache-2.0
// clSetDefaultDeviceCommandQueue.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue command_queue) {
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  if (!heddle_is_device(device) || heddle_context_index(context, device) < 0)
    return CL_INVALID_DEVICE;
  if (!heddle_offers_on_device_queues(device))
    return CL_INVALID_OPERATION;
  if (!heddle_is_on_device_queue(command_queue) || command_queue->context != context || command_queue->device != device)
    return CL_INVALID_COMMAND_QUEUE;
  heddle_set_default_queue(command_queue);
  return CL_SUCCESS;
}
