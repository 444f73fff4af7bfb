// SPDX-License-Identifier: Apache-2.0
// The OpenCL headers, all versions' calls included, for the files that define one call each.
#ifndef HEDDLE_CL_CALLS_H
#define HEDDLE_CL_CALLS_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/cl_icd.h>

#include "host/cl/object.h"
#include "host/cl/traced_call.h"

// What the ICD loader looks up by name. The rest is reached through the dispatch table.
HEDDLE_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                        cl_uint *num_platforms);

// Calls whose prototypes the headers leave out.
cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info param_name, size_t input_value_size,
                                              const void *input_value, size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret);

#endif
