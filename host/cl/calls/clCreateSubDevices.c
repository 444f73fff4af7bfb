// SPDX-License-Identifier: Apache-2.0
// clCreateSubDevices: no device of ours can be divided (CL_DEVICE_PARTITION_PROPERTIES is empty).
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties, cl_uint num_devices,
                          cl_device_id *out_devices, cl_uint *num_devices_ret) {
  (void)properties, (void)num_devices, (void)out_devices, (void)num_devices_ret;
  return heddle_is_device(in_device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}
