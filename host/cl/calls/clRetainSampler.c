// SPDX-License-Identifier: Apache-2.0
// clRetainSampler.
#include "host/cl/calls.h"
#include "host/cl/sampler.h"

cl_int clRetainSampler(cl_sampler sampler) {
  HEDDLE_CALL;
  if (!heddle_is_sampler(sampler))
    return CL_INVALID_SAMPLER;
  heddle_object_retain(sampler);
  return CL_SUCCESS;
}
