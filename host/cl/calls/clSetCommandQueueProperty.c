// SPDX-License-Identifier: Apache-2.0
// clSetCommandQueueProperty (OpenCL 1.0): deprecated, and only devices of OpenCL 1.0 have to offer it.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clSetCommandQueueProperty(cl_command_queue command_queue, cl_command_queue_properties properties, cl_bool enable,
                                 cl_command_queue_properties *old_properties) {
  HEDDLE_CALL;
  (void)properties, (void)enable, (void)old_properties;
  return heddle_is_queue(command_queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}
