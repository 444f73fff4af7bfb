// SPDX-License-Identifier: Apache-2.0
// clRetainDevice: root devices are not counted.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clRetainDevice(cl_device_id device) {
  HEDDLE_CALL;
  if (!heddle_is_device(device))
    return CL_INVALID_DEVICE;
  if (device->parent)
    heddle_device_hold(device);
  return CL_SUCCESS;
}
