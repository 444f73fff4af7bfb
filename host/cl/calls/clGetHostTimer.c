// SPDX-License-Identifier: Apache-2.0
// clGetHostTimer: the host's monotonic clock.
#include "host/cl/calls.h"
#include "host/cl/device_time.h"

cl_int clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  HEDDLE_CALL;
  if (!heddle_is_device(device))
    return CL_INVALID_DEVICE;
  if (!host_timestamp)
    return CL_INVALID_VALUE;
  *host_timestamp = heddle_host_nanoseconds();
  return CL_SUCCESS;
}
