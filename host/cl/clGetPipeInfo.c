// SPDX-License-Identifier: Apache-2.0
// clGetPipeInfo: no memory object is a pipe.
#include "host/cl/calls.h"

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void *param_value,
                     size_t *param_value_size_ret) {
  (void)pipe, (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return CL_INVALID_MEM_OBJECT;
}
