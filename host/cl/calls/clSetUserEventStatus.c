// SPDX-License-Identifier: Apache-2.0
// clSetUserEventStatus.
#include "host/cl/calls.h"
#include "host/cl/event.h"

cl_int clSetUserEventStatus(cl_event event, cl_int execution_status) {
  HEDDLE_CALL;
  if (!heddle_is_event(event) || event->queue)
    return CL_INVALID_EVENT;
  if (execution_status > CL_COMPLETE)
    return CL_INVALID_VALUE;
  pthread_mutex_lock(&heddle_lock);
  const bool set_before = event->user_status_set;
  event->user_status_set = true;
  pthread_mutex_unlock(&heddle_lock);
  if (set_before)
    return CL_INVALID_OPERATION;
  heddle_event_set_status(event, execution_status);
  return CL_SUCCESS;
}
