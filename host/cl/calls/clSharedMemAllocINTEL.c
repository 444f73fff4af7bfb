// SPDX-License-Identifier: Apache-2.0
// clSharedMemAllocINTEL (cl_intel_unified_shared_memory).
#include "host/cl/calls.h"
#include "host/cl/unified.h"

void *clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
                            size_t size, cl_uint alignment, cl_int *errcode_ret) {
  HEDDLE_CALL;
  return heddle_unified_allocate(context, HEDDLE_USM_SHARED, device, properties, size, alignment, errcode_ret);
}
