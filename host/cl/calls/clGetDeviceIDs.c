// SPDX-License-Identifier: Apache-2.0
// clGetDeviceIDs.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries, cl_device_id *devices,
                      cl_uint *num_devices) {
  HEDDLE_CALL;
  const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  cl_device_id found[HEDDLE_MAX_DEVICES];
  if (platform && !heddle_is_platform(platform))
    return CL_INVALID_PLATFORM;
  if (device_type != CL_DEVICE_TYPE_ALL && (device_type == 0 || (device_type & ~known) != 0))
    return CL_INVALID_DEVICE_TYPE;
  if ((num_entries == 0 && devices) || (!devices && !num_devices))
    return CL_INVALID_VALUE;
  const cl_uint count = heddle_devices_of_type(device_type, found);
  for (cl_uint i = 0; devices && i < count && i < num_entries; i++)
    devices[i] = found[i];
  if (num_devices)
    *num_devices = count;
  return count == 0 ? CL_DEVICE_NOT_FOUND : CL_SUCCESS;
}
