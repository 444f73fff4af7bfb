// SPDX-License-Identifier: Apache-2.0
// clReleaseDevice: root devices are not counted.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clReleaseDevice(cl_device_id device) {
  HEDDLE_CALL;
  if (!heddle_is_device(device))
    return CL_INVALID_DEVICE;
  if (device->parent)
    heddle_device_let_go(device);
  return CL_SUCCESS;
}
