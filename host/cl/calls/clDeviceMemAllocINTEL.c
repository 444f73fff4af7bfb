// SPDX-License-Identifier: Apache-2.0
// clDeviceMemAllocINTEL (cl_intel_unified_shared_memory).
#include "host/cl/calls.h"
#include "host/cl/unified.h"

void *clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
                            size_t size, cl_uint alignment, cl_int *errcode_ret) {
  HEDDLE_CALL;
  return heddle_unified_allocate(context, HEDDLE_USM_DEVICE, device, properties, size, alignment, errcode_ret);
}
