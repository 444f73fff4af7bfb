// SPDX-License-Identifier: Apache-2.0
// clMemBlockingFreeINTEL (cl_intel_unified_shared_memory): returns when no command uses the memory any more.
#include "host/cl/calls.h"
#include "host/cl/chain.h"
#include "host/cl/channel_waits.h"
#include "host/cl/unified.h"
#include "host/cl/worker.h"

cl_int clMemBlockingFreeINTEL(cl_context context, void *ptr) {
  HEDDLE_CALL;
  struct heddle_shared_place place = {0};
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  if (!ptr)
    return CL_SUCCESS;
  // A callback keeps a device from the commands that may use it.
  bool is_callback = false;
  pthread_mutex_lock(&heddle_lock);
  for (cl_uint i = 0; i < context->num_roots; i++)
    is_callback = is_callback || heddle_is_worker_of(context->roots[i]);
  pthread_mutex_unlock(&heddle_lock);
  if (is_callback)
    return CL_INVALID_OPERATION;
  heddle_shared_find(context, ptr, 1, &place);
  const bool found = heddle_shared_free(context, ptr, HEDDLE_UNIFIED_KINDS);
  if (found) {
    pthread_mutex_lock(&heddle_lock);
    heddle_chain_release();
    heddle_channels_release_all();
    heddle_shared_wait(place.memory);
    pthread_mutex_unlock(&heddle_lock);
  }
  heddle_shared_leave(&place);
  return found ? CL_SUCCESS : CL_INVALID_VALUE;
}
