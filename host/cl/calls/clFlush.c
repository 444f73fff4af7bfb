// SPDX-License-Identifier: Apache-2.0
// clFlush: the worker takes commands as soon as they are enqueued, but for kernels that are held (chain.h).
#include "host/cl/calls.h"
#include "host/cl/chain.h"
#include "host/cl/queue.h"

cl_int clFlush(cl_command_queue command_queue) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  pthread_mutex_lock(&heddle_lock);
  heddle_chain_release();
  pthread_mutex_unlock(&heddle_lock);
  return CL_SUCCESS;
}
