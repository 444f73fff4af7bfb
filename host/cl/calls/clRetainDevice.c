// SPDX-License-Identifier: Apache-2.0
// clRetainDevice: root devices are not counted.
#include "host/cl/calls.h"
#include "host/cl/platform.h"

cl_int clRetainDevice(cl_device_id device) {
  return heddle_is_device(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}
