// SPDX-License-Identifier: Apache-2.0
// clCreateCommandQueueWithProperties.
#include "host/cl/calls.h"
#include "host/cl/queue.h"
#include "host/device/device_queue.h"

// What the list asks for; its length in bytes, the final 0 included.
struct request {
  cl_command_queue_properties properties;
  bool has_size;
  cl_queue_properties size;
  size_t bytes;
};

static cl_int read_properties(const cl_queue_properties *list, struct request *request) {
  const cl_queue_properties host = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  const cl_queue_properties on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
  size_t i = 0;
  for (; list && list[i] != 0; i += 2)
    if (list[i] == CL_QUEUE_PROPERTIES && (list[i + 1] & ~(host | on_device)) == 0)
      request->properties = list[i + 1];
    else if (list[i] == CL_QUEUE_SIZE)
      request->size = list[i + 1], request->has_size = true;
    else
      return CL_INVALID_VALUE;
  request->bytes = list ? (i + 1) * sizeof *list : 0;
  // On a device, queues are out of order; only they have a size, and only one of them is the default.
  const bool is_on_device = (request->properties & CL_QUEUE_ON_DEVICE) != 0;
  if ((request->properties & on_device) == CL_QUEUE_ON_DEVICE_DEFAULT ||
      (is_on_device && (request->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0) ||
      (request->has_size && (!is_on_device || request->size == 0)))
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *list, cl_int *errcode_ret) {
  HEDDLE_CALL;
  struct request request = {0};
  cl_command_queue queue = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_context(context))
    error = CL_INVALID_CONTEXT;
  else if (!heddle_is_device(device) || heddle_context_index(context, device) < 0)
    error = CL_INVALID_DEVICE;
  else
    error = read_properties(list, &request);
  const bool is_on_device = error == CL_SUCCESS && (request.properties & CL_QUEUE_ON_DEVICE) != 0;
  if (is_on_device && (!heddle_offers_on_device_queues(device) ||
                       request.size > heddle_queue_size_most(heddle_capabilities_of(device))))
    error = CL_INVALID_QUEUE_PROPERTIES;
  if (error == CL_SUCCESS)
    queue = is_on_device ? heddle_on_device_queue_create(context, device, request.properties, (cl_uint)request.size,
                                                         list, request.bytes, &error)
                         : heddle_queue_create(context, device, request.properties, list, request.bytes, &error);
  return heddle_created(errcode_ret, error, queue);
}
