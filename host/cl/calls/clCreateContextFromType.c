// SPDX-License-Identifier: Apache-2.0
// clCreateContextFromType.
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type device_type,
                                   void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *),
                                   void *user_data, cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_device_id devices[HEDDLE_MAX_DEVICES];
  cl_uint num_devices = 0, num_available = 0;
  cl_context context = NULL;
  cl_int error = heddle_context_check(properties, pfn_notify, user_data);
  if (error == CL_SUCCESS)
    error = clGetDeviceIDs(heddle_platform(), device_type, HEDDLE_MAX_DEVICES, devices, &num_devices);
  // Those of them that can be opened.
  for (cl_uint i = 0; error == CL_SUCCESS && i < num_devices; i++)
    if (heddle_context_available(devices[i], pfn_notify, user_data))
      devices[num_available++] = devices[i];
  if (error == CL_SUCCESS && num_available == 0)
    error = CL_DEVICE_NOT_AVAILABLE;
  if (error == CL_SUCCESS)
    context = heddle_context_create(properties, num_available, devices, pfn_notify, user_data, &error);
  return heddle_created(errcode_ret, error, context);
}
