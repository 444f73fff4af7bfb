// SPDX-License-Identifier: Apache-2.0
// clGetHostTimer: not offered, see clGetDeviceAndHostTimer.c.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  if (!heddle_is_device(device))
    return CL_INVALID_DEVICE;
  return !host_timestamp ? CL_INVALID_VALUE : CL_INVALID_OPERATION;
}
