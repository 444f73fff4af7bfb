// SPDX-License-Identifier: Apache-2.0
// clCreateSubDevices: equally and by counts, where there are several programmable units.
#include "host/cl/calls.h"
#include "host/cl/sub_device.h"

cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties, cl_uint num_devices,
                          cl_device_id *out_devices, cl_uint *num_devices_ret) {
  HEDDLE_CALL;
  struct heddle_partition partition;
  if (!heddle_is_device(in_device))
    return CL_INVALID_DEVICE;
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(in_device);
  if (!capabilities)
    return CL_OUT_OF_RESOURCES;
  cl_int error = heddle_partition_read(capabilities, properties, &partition);
  if (error == CL_SUCCESS && out_devices && num_devices < partition.count)
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS && out_devices)
    error = heddle_sub_devices_create(in_device, properties, &partition, out_devices);
  if (error == CL_SUCCESS && num_devices_ret)
    *num_devices_ret = partition.count;
  return error;
}
