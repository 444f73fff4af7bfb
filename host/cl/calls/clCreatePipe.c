// SPDX-License-Identifier: Apache-2.0
// clCreatePipe.
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/context.h"
#include "host/cl/pipe.h"

// The context's devices taken together: what one of them can do is allowed.
struct offer {
  bool has_pipes;
  cl_uint packet_bytes;
};

static struct offer offer_of(cl_context context) {
  struct offer offer = {0};
  for (cl_uint i = 0; i < context->num_devices; i++) {
    const struct heddle_capabilities *capabilities = heddle_capabilities_of(context->devices[i]);
    const struct heddle_pipe_limits limits =
        capabilities ? heddle_pipe_limits_of(capabilities) : (struct heddle_pipe_limits){0};
    offer.has_pipes = offer.has_pipes || limits.arguments > 0;
    if (limits.packet_bytes > offer.packet_bytes)
      offer.packet_bytes = limits.packet_bytes;
  }
  return offer;
}

// A pipe has its place on every device of the context.
static bool fits(cl_context context, cl_uint packet_bytes, cl_uint max_packets) {
  for (cl_uint i = 0; i < context->num_devices; i++) {
    const struct heddle_capabilities *capabilities = heddle_capabilities_of(context->devices[i]);
    if (capabilities && heddle_pipe_bytes(packet_bytes, max_packets) > heddle_max_allocation(capabilities))
      return false;
  }
  return true;
}

// One property, as CL/cl_heddle.h has it. OpenCL has none.
static bool are_known(const cl_pipe_properties *properties) {
  return properties[0] == CL_PIPE_CONCURRENT_HEDDLE && (properties[1] == CL_TRUE || properties[1] == CL_FALSE) &&
         properties[2] == 0;
}

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size, cl_uint pipe_max_packets,
                    const cl_pipe_properties *properties, cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_mem memory = NULL;
  cl_int error = CL_SUCCESS;
  if (!heddle_is_context(context))
    return heddle_created(errcode_ret, CL_INVALID_CONTEXT, NULL);
  const struct offer offer = offer_of(context);
  if (!offer.has_pipes)
    error = CL_INVALID_OPERATION;
  else if ((flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)) != 0)
    error = CL_INVALID_VALUE;
  else if (properties && !are_known(properties))
    error = CL_INVALID_VALUE;
  else if (pipe_packet_size == 0 || pipe_packet_size > offer.packet_bytes || pipe_max_packets == 0)
    error = CL_INVALID_PIPE_SIZE;
  else if (!fits(context, pipe_packet_size, pipe_max_packets))
    error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  else
    memory = heddle_pipe_create(context, flags ? flags : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, pipe_packet_size,
                                pipe_max_packets, &error);
  if (memory && properties) {
    memory->with_properties = true;
    memory->is_concurrent = properties[1] == CL_TRUE;
  }
  return heddle_created(errcode_ret, error, memory);
}
