// SPDX-License-Identifier: Apache-2.0
// Device time (device_time.h).
#include "host/cl/device_time.h"

#include <time.h>

cl_ulong heddle_host_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (cl_ulong)now.tv_sec * 1000000000u + (cl_ulong)now.tv_nsec;
}

cl_ulong heddle_host_resolution(void) {
  struct timespec step;
  clock_getres(CLOCK_MONOTONIC, &step);
  return (cl_ulong)step.tv_sec * 1000000000u + (cl_ulong)step.tv_nsec;
}

cl_ulong heddle_device_time(cl_device_id device, cl_ulong host) {
  return host + device->root->ahead;
}

cl_ulong heddle_device_time_end(cl_device_id device, cl_ulong start, cl_ulong took) {
  const cl_ulong end = start + took, now = heddle_device_time(device, heddle_host_nanoseconds());
  if (end > now)
    device->root->ahead += end - now;
  device->root->last_end = end;
  return end;
}

cl_ulong heddle_device_nanoseconds(cl_device_id device, uint64_t cycles) {
  return (cl_ulong)((double)cycles * (1e6 / heddle_device_capability(device->root->driver)->clock_khz));
}
