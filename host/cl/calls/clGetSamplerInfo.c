// SPDX-License-Identifier: Apache-2.0
// clGetSamplerInfo: nobody can have made one.
#include "host/cl/calls.h"

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret) {
  HEDDLE_CALL;
  (void)sampler, (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return CL_INVALID_SAMPLER;
}
