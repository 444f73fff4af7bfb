// SPDX-License-Identifier: Apache-2.0
// clRetainCommandQueue.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clRetainCommandQueue(cl_command_queue command_queue) {
  HEDDLE_CALL;
  if (!heddle_is_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  heddle_object_retain(command_queue);
  return CL_SUCCESS;
}
