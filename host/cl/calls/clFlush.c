// SPDX-License-Identifier: Apache-2.0
// clFlush: the worker takes commands as soon as they are enqueued, so nothing is left to do.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_int clFlush(cl_command_queue command_queue) {
  HEDDLE_CALL;
  return heddle_is_host_queue(command_queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}
