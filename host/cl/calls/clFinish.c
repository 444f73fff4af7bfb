// SPDX-License-Identifier: Apache-2.0
// clFinish.
#include "host/cl/calls.h"
#include "host/cl/chain.h"
#include "host/cl/channel_waits.h"
#include "host/cl/queue.h"
#include "host/cl/worker.h"

cl_int clFinish(cl_command_queue command_queue) {
  HEDDLE_CALL;
  if (!heddle_is_host_queue(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  const bool is_worker = heddle_is_worker_of(command_queue->device);
  pthread_mutex_lock(&heddle_lock);
  heddle_chain_release();
  heddle_channels_release_queue(command_queue);
  while (command_queue->pending != 0 && !is_worker)
    heddle_channels_wait();
  const cl_int error = command_queue->pending != 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
  pthread_mutex_unlock(&heddle_lock);
  return error;
}
