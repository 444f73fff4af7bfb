// SPDX-License-Identifier: Apache-2.0
// clCreateSampler (OpenCL 1.x).
#include "host/cl/calls.h"
#include "host/cl/sampler.h"

cl_sampler clCreateSampler(cl_context context, cl_bool normalized_coords, cl_addressing_mode addressing_mode,
                           cl_filter_mode filter_mode, cl_int *errcode_ret) {
  HEDDLE_CALL;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              normalized_coords,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              addressing_mode,
                                              CL_SAMPLER_FILTER_MODE,
                                              filter_mode,
                                              0};
  cl_int error = CL_INVALID_CONTEXT;
  cl_sampler sampler = NULL;
  if (heddle_is_context(context))
    sampler = heddle_sampler_create(context, properties, &error);
  if (sampler)
    sampler->properties_bytes = 0;  // there was no list
  return heddle_created(errcode_ret, error, sampler);
}
