// SPDX-License-Identifier: Apache-2.0
// clCreateUserEvent.
#include "host/cl/calls.h"
#include "host/cl/event.h"

cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return heddle_created(errcode_ret, CL_INVALID_CONTEXT, NULL);
  cl_event event = heddle_event_create(context, NULL, CL_COMMAND_USER, CL_SUBMITTED);
  return heddle_created(errcode_ret, event ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, event);
}
