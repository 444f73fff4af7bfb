// SPDX-License-Identifier: Apache-2.0
// clCreatePipe: no device has pipes (CL_DEVICE_PIPE_SUPPORT is false).
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size, cl_uint pipe_max_packets,
                    const cl_pipe_properties *properties, cl_int *errcode_ret) {
  (void)flags, (void)pipe_packet_size, (void)pipe_max_packets, (void)properties;
  return heddle_created(errcode_ret, heddle_is_context(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT, NULL);
}
