// SPDX-License-Identifier: Apache-2.0
// clCreateBuffer.
#include "host/cl/calls.h"

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret) {
  HEDDLE_CALL;
  return clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}
