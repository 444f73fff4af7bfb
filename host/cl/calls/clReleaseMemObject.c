// SPDX-License-Identifier: Apache-2.0
// clReleaseMemObject.
#include "host/cl/calls.h"
#include "host/cl/memory.h"

cl_int clReleaseMemObject(cl_mem memobj) {
  HEDDLE_CALL;
  if (!heddle_is_memory(memobj))
    return CL_INVALID_MEM_OBJECT;
  heddle_memory_release(memobj);
  return CL_SUCCESS;
}
