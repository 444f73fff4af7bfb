// SPDX-License-Identifier: Apache-2.0
// clWaitForEvents.
#include "host/cl/calls.h"
#include "host/cl/event.h"

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
  return heddle_event_wait(num_events, event_list) < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}
