// SPDX-License-Identifier: Apache-2.0
// clIcdGetPlatformIDsKHR (cl_khr_icd): how the ICD loader asks for our platform.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

HEDDLE_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  HEDDLE_CALL;
  if (heddle_platform()->num_devices == 0) {
    if (num_platforms)
      *num_platforms = 0;
    return CL_PLATFORM_NOT_FOUND_KHR;
  }
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}
