// SPDX-License-Identifier: Apache-2.0
// clCreateSamplerWithProperties.
#include "host/cl/calls.h"
#include "host/cl/sampler.h"

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *sampler_properties,
                                         cl_int *errcode_ret) {
  HEDDLE_CALL;
  cl_int error = CL_INVALID_CONTEXT;
  cl_sampler sampler = NULL;
  if (heddle_is_context(context))
    sampler = heddle_sampler_create(context, sampler_properties, &error);
  return heddle_created(errcode_ret, error, sampler);
}
