// SPDX-License-Identifier: Apache-2.0
// clCreateCommandQueueWithPropertiesKHR (cl_khr_create_command_queue): what OpenCL 2.0 took over under its own name.
#include "host/cl/calls.h"

cl_command_queue clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                                       const cl_queue_properties_khr *properties, cl_int *errcode_ret) {
  HEDDLE_CALL;
  return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}
