// SPDX-License-Identifier: Apache-2.0
// clReleaseSampler.
#include "host/cl/calls.h"
#include "host/cl/sampler.h"

cl_int clReleaseSampler(cl_sampler sampler) {
  HEDDLE_CALL;
  if (!heddle_is_sampler(sampler))
    return CL_INVALID_SAMPLER;
  heddle_sampler_release(sampler);
  return CL_SUCCESS;
}
