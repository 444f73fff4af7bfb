// SPDX-License-Identifier: Apache-2.0
// clRetainSampler: nobody can have made one.
#include "host/cl/calls.h"

cl_int clRetainSampler(cl_sampler sampler) {
  HEDDLE_CALL;
  (void)sampler;
  return CL_INVALID_SAMPLER;
}
