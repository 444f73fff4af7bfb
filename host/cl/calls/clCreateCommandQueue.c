// SPDX-License-Identifier: Apache-2.0
// clCreateCommandQueue (OpenCL 1.x).
#include "host/cl/calls.h"
#include "host/cl/queue.h"

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *errcode_ret) {
  HEDDLE_CALL;
  const cl_command_queue_properties known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  cl_command_queue queue = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  else if (!heddle_is_device(device) || heddle_context_index(context, device) < 0)
    error = CL_INVALID_DEVICE;
  else if ((properties & ~known) != 0)
    error = CL_INVALID_VALUE;
  else
    queue = heddle_queue_create(context, device, properties, NULL, 0, &error);
  return heddle_created(errcode_ret, error, queue);
}
