// SPDX-License-Identifier: Apache-2.0
// clCreateSampler (OpenCL 1.x).
#include "host/cl/calls.h"

cl_sampler clCreateSampler(cl_context context, cl_bool normalized_coords, cl_addressing_mode addressing_mode,
                           cl_filter_mode filter_mode, cl_int *errcode_ret) {
  HEDDLE_CALL;
  (void)normalized_coords, (void)addressing_mode, (void)filter_mode;
  return clCreateSamplerWithProperties(context, NULL, errcode_ret);
}
