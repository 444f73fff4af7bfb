// SPDX-License-Identifier: Apache-2.0
// clReleaseSampler: nobody can have made one.
#include "host/cl/calls.h"

cl_int clReleaseSampler(cl_sampler sampler) {
  HEDDLE_CALL;
  (void)sampler;
  return CL_INVALID_SAMPLER;
}
