// SPDX-License-Identifier: Apache-2.0
// clWaitForEvents.
#include "host/cl/calls.h"
#include "host/cl/event.h"
#include "host/cl/queue.h"
#include "host/cl/worker.h"

// In a callback: whether one of them is of the device that the callback keeps from its work.
static bool would_never_return(cl_uint num_events, const cl_event *events) {
  bool would = false;
  pthread_mutex_lock(&heddle_lock);
  for (cl_uint i = 0; i < num_events; i++)
    would =
        would || (events[i]->queue && events[i]->status > CL_COMPLETE && heddle_is_worker_of(events[i]->queue->device));
  pthread_mutex_unlock(&heddle_lock);
  return would;
}

cl_int clWaitForEvents(cl_uint num_events, const cl_event *event_list) {
  HEDDLE_CALL;
  if (num_events == 0 || !event_list)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_events; i++) {
    if (!heddle_is_event(event_list[i]))
      return CL_INVALID_EVENT;
    if (event_list[i]->context != event_list[0]->context)
      return CL_INVALID_CONTEXT;
  }
  if (would_never_return(num_events, event_list))
    return CL_INVALID_OPERATION;
  return heddle_event_wait(num_events, event_list) < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}
