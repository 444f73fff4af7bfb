// SPDX-License-Identifier: Apache-2.0
// clCreateContext.
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
                           void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
                           cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_device_id different[HEDDLE_MAX_CONTEXT_DEVICES];
  cl_uint num_different = 0, num_taken = 0;
  cl_context context = NULL;
  cl_int error = heddle_context_check(properties, pfn_notify, user_data);
  if (error == CL_SUCCESS && (!devices || num_devices == 0))
    error = CL_INVALID_VALUE;
  for (cl_uint i = 0; error == CL_SUCCESS && i < num_devices; i++) {
    bool seen = false;
    if (!heddle_is_device(devices[i])) {
      error = CL_INVALID_DEVICE;
      break;
    }
    for (cl_uint j = 0; j < num_different; j++)
      seen = seen || different[j] == devices[i];
    if (!seen && num_different == HEDDLE_MAX_CONTEXT_DEVICES)
      error = CL_OUT_OF_RESOURCES;
    else if (!seen)
      different[num_different++] = devices[i];
  }
  for (cl_uint i = 0; error == CL_SUCCESS && i < num_different; i++)
    if (heddle_context_available(different[i], pfn_notify, user_data))
      num_taken++;
    else
      error = CL_DEVICE_NOT_AVAILABLE;
  if (error != CL_SUCCESS)
    heddle_context_give(num_taken, different);
  if (error == CL_SUCCESS)
    context = heddle_context_create(properties, num_different, different, pfn_notify, user_data, &error);
  return heddle_created(errcode_ret, error, context);
}
