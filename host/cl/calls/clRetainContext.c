// SPDX-License-Identifier: Apache-2.0
// clRetainContext.
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_int clRetainContext(cl_context context) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  heddle_object_retain(context);
  return CL_SUCCESS;
}
