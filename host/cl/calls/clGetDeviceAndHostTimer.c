// SPDX-License-Identifier: Apache-2.0
// clGetDeviceAndHostTimer: one moment in device time, which profiling tells as well, and on the host's clock.
#include "host/cl/calls.h"
#include "host/cl/device_time.h"
#include "host/cl/event.h"

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp, cl_ulong *host_timestamp) {
  HEDDLE_CALL;
  if (!heddle_is_device(device))
    return CL_INVALID_DEVICE;
  if (!device_timestamp || !host_timestamp)
    return CL_INVALID_VALUE;
  pthread_mutex_lock(&heddle_lock);
  const cl_ulong host = heddle_host_nanoseconds();
  *device_timestamp = heddle_device_time(device, host);
  *host_timestamp = host;
  pthread_mutex_unlock(&heddle_lock);
  return CL_SUCCESS;
}
