// SPDX-License-Identifier: Apache-2.0
// clRetainSampler: nobody can have made one.
#include "host/cl/calls.h"

cl_int clRetainSampler(cl_sampler sampler) {
  (void)sampler;
  return CL_INVALID_SAMPLER;
}
