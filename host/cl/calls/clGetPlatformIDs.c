// SPDX-License-Identifier: Apache-2.0
// clGetPlatformIDs: the ICD loader has its own; this serves programs that reach us without it.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  HEDDLE_CALL;
  if ((num_entries == 0 && platforms) || (!platforms && !num_platforms))
    return CL_INVALID_VALUE;
  if (platforms)
    platforms[0] = heddle_platform();
  if (num_platforms)
    *num_platforms = 1;
  return CL_SUCCESS;
}
