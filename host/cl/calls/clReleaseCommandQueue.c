// SPDX-License-Identifier: Apache-2.0
// clReleaseCommandQueue: what is enqueued still runs, and keeps the queue until it has.
#include "host/cl/calls.h"
#include "host/cl/chain.h"
#include "host/cl/queue.h"

cl_int clReleaseCommandQueue(cl_command_queue command_queue) {
  HEDDLE_CALL;
  if (!heddle_is_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  pthread_mutex_lock(&heddle_lock);
  heddle_chain_release();
  pthread_mutex_unlock(&heddle_lock);
  heddle_queue_release(command_queue);
  return CL_SUCCESS;
}
