// SPDX-License-Identifier: Apache-2.0
// clGetDeviceAndHostTimer: device time counts what the device did, not what passed on the host; the two cannot be
// paired (CL_PLATFORM_HOST_TIMER_RESOLUTION is 0).
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp, cl_ulong *host_timestamp) {
  if (!heddle_is_device(device))
    return CL_INVALID_DEVICE;
  return !device_timestamp || !host_timestamp ? CL_INVALID_VALUE : CL_INVALID_OPERATION;
}
