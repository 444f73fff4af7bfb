// SPDX-License-Identifier: Apache-2.0
// Device time, in nanoseconds: what profiling and clGetDeviceAndHostTimer tell. It goes on at the host's pace
// (CLOCK_MONOTONIC) and has the same zero, but a command that the device carries out takes in it exactly what its
// cycles take at the device's nominal clock. Where a device is faster than that, device time runs ahead of the host's,
// and stays ahead.
//
// Times of a device never go backwards. heddle_lock is held by callers of what takes a device.
#ifndef HEDDLE_CL_DEVICE_TIME_H
#define HEDDLE_CL_DEVICE_TIME_H

#include <stdint.h>

#include "host/cl/platform.h"

// What the host's clock says, and how long it stays the same.
cl_ulong heddle_host_nanoseconds(void);
cl_ulong heddle_host_resolution(void);

// What the device's says at a moment of the host's.
cl_ulong heddle_device_time(cl_device_id device, cl_ulong host);

// Ends what began at `start` and took so long: no time of the device is before it from now on. Returns that end.
cl_ulong heddle_device_time_end(cl_device_id device, cl_ulong start, cl_ulong took);

// What cycles of an opened device take. Without heddle_lock.
cl_ulong heddle_device_nanoseconds(cl_device_id device, uint64_t cycles);

#endif
