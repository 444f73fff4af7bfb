// SPDX-License-Identifier: Apache-2.0
// clSetMemObjectDestructorCallback.
#include "host/cl/calls.h"
#include "host/cl/memory.h"

cl_int clSetMemObjectDestructorCallback(cl_mem memobj, void(CL_CALLBACK *pfn_notify)(cl_mem memobj, void *user_data),
                                        void *user_data) {
  HEDDLE_CALL;
  if (!heddle_is_memory(memobj))
    return CL_INVALID_MEM_OBJECT;
  if (!pfn_notify)
    return CL_INVALID_VALUE;
  return heddle_callbacks_push(&memobj->destructors, (heddle_destructor)pfn_notify, user_data);
}
