// SPDX-License-Identifier: Apache-2.0
// clCreateSamplerWithProperties: without images there are no samplers (CL_DEVICE_IMAGE_SUPPORT is false).
#include "host/cl/calls.h"
#include "host/cl/context.h"

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *sampler_properties,
                                         cl_int *errcode_ret) {
  HEDDLE_CALL;
  (void)sampler_properties;
  return heddle_created(errcode_ret, heddle_is_context(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT, NULL);
}
