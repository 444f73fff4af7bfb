// SPDX-License-Identifier: Apache-2.0
// clReleaseContext.
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_int clReleaseContext(cl_context context) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  heddle_context_release(context);
  return CL_SUCCESS;
}
