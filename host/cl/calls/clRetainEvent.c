// SPDX-License-Identifier: Apache-2.0
// clRetainEvent.
#include "host/cl/calls.h"
#include "host/cl/event.h"

cl_int clRetainEvent(cl_event event) {
  HEDDLE_CALL;
  if (!heddle_is_event(event))
    return CL_INVALID_EVENT;
  heddle_object_retain(event);
  return CL_SUCCESS;
}
