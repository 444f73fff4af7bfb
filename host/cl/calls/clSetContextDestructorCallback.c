// SPDX-License-Identifier: Apache-2.0
// clSetContextDestructorCallback.
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_int clSetContextDestructorCallback(cl_context context,
                                      void(CL_CALLBACK *pfn_notify)(cl_context context, void *user_data),
                                      void *user_data) {
  HEDDLE_CALL;
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  if (!pfn_notify)
    return CL_INVALID_VALUE;
  return heddle_callbacks_push(&context->destructors, (heddle_destructor)pfn_notify, user_data);
}
