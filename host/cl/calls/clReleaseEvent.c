// SPDX-License-Identifier: Apache-2.0
// clReleaseEvent.
#include "host/cl/calls.h"
#include "host/cl/event.h"

cl_int clReleaseEvent(cl_event event) {
  HEDDLE_CALL;
  if (!heddle_is_event(event))
    return CL_INVALID_EVENT;
  heddle_event_release(event);
  return CL_SUCCESS;
}
