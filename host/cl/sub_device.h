// SPDX-License-Identifier: Apache-2.0
// Sub-devices: some of a device's programmable compute units as a device of its own (OpenCL 3.0, section 4.3). A kernel
// of a sub-device keeps to its units. Kernels of different ones run one after the other, as all kernels of a device do.
// Kernel pipelines belong to no sub-device (docs/decisions/sub-devices.md).
//
// Threads: any. A sub-device is constant once made.
#ifndef HEDDLE_CL_SUB_DEVICE_H
#define HEDDLE_CL_SUB_DEVICE_H

#include "host/cl/platform.h"

// A contract allows up to 15 units of all kinds.
enum { HEDDLE_MAX_SUB_DEVICES = 15 };

// How a device is divided: units of each sub-device, and what was asked for.
struct heddle_partition {
  cl_uint count;
  cl_uint units[HEDDLE_MAX_SUB_DEVICES];
  size_t bytes;  // of the properties, with the final 0
};

// The ways to divide the device, as CL_DEVICE_PARTITION_PROPERTIES lists them; returns how many. With fewer than two
// programmable units there is none.
enum { HEDDLE_PARTITION_WAYS = 2 };
size_t heddle_partition_ways(const struct heddle_capabilities *capabilities,
                             cl_device_partition_property ways[HEDDLE_PARTITION_WAYS]);

// Reads the list of clCreateSubDevices for a device with these capabilities. CL_INVALID_VALUE,
// CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE_PARTITION_COUNT.
cl_int heddle_partition_read(const struct heddle_capabilities *capabilities,
                             const cl_device_partition_property *properties, struct heddle_partition *partition);

// Makes the sub-devices, each with one reference. The device is open. CL_OUT_OF_HOST_MEMORY: none was made.
cl_int heddle_sub_devices_create(cl_device_id device, const cl_device_partition_property *properties,
                                 const struct heddle_partition *partition, cl_device_id *made);

#endif
