// SPDX-License-Identifier: Apache-2.0
// clCreateCommandQueueWithProperties.
#include "host/cl/calls.h"
#include "host/cl/queue.h"

// Reads the list; its length in bytes, the final 0 included, goes to *bytes.
static cl_int read_properties(const cl_queue_properties *list, cl_command_queue_properties *properties, size_t *bytes) {
  const cl_queue_properties host = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  const cl_queue_properties on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
  *properties = 0;
  *bytes = 0;
  if (!list)
    return CL_SUCCESS;
  size_t i = 0;
  for (; list[i] != 0; i += 2) {
    // Sizes are for on-device queues, which there are none of.
    if (list[i] != CL_QUEUE_PROPERTIES)
      return list[i] == CL_QUEUE_SIZE ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE;
    if ((list[i + 1] & ~(host | on_device)) != 0)
      return CL_INVALID_VALUE;
    if ((list[i + 1] & on_device) != 0)
      return CL_INVALID_QUEUE_PROPERTIES;
    *properties = list[i + 1];
  }
  *bytes = (i + 1) * sizeof *list;
  return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *list, cl_int *errcode_ret) {
  cl_command_queue_properties properties = 0;
  cl_command_queue queue = NULL;
  size_t bytes = 0;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  else if (!heddle_is_device(device) || heddle_context_index(context, device) < 0)
    error = CL_INVALID_DEVICE;
  else
    error = read_properties(list, &properties, &bytes);
  if (error == CL_SUCCESS)
    queue = heddle_queue_create(context, device, properties, list, bytes, &error);
  return heddle_created(errcode_ret, error, queue);
}
