// SPDX-License-Identifier: Apache-2.0
// What the calls of cl_intel_unified_shared_memory share beyond shared.h.
#ifndef HEDDLE_CL_UNIFIED_H
#define HEDDLE_CL_UNIFIED_H

#include <CL/cl_ext.h>

#include "host/cl/shared.h"

#define HEDDLE_UNIFIED_KINDS (1u << HEDDLE_USM_HOST | 1u << HEDDLE_USM_DEVICE | 1u << HEDDLE_USM_SHARED)

// clHostMemAllocINTEL, clDeviceMemAllocINTEL and clSharedMemAllocINTEL; device may be NULL but for the second.
void *heddle_unified_allocate(cl_context context, enum heddle_shared_kind kind, cl_device_id device,
                              const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                              cl_int *errcode_ret);

// A command about memory that does nothing: the checks behind that of the queue, and the command.
cl_int heddle_unified_hint(cl_command_queue queue, cl_command_type type, const void *pointer, size_t size,
                           cl_uint num_waits, const cl_event *waits, cl_event *event);

#endif
