// SPDX-License-Identifier: Apache-2.0
// Samplers (OpenCL 3.0, section 5.7): how kernels read images. A kernel gets one as a word (contract/image.h).
#ifndef HEDDLE_CL_SAMPLER_H
#define HEDDLE_CL_SAMPLER_H

#include "host/cl/context.h"

struct _cl_sampler {
  struct heddle_object object;
  cl_context context;
  cl_bool is_normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
  cl_sampler_properties *properties;  // as given, with the final 0, owned; NULL: none
  size_t properties_bytes;
};

bool heddle_is_sampler(cl_sampler sampler);

// clCreateSamplerWithProperties, of a valid context; properties may be NULL.
cl_sampler heddle_sampler_create(cl_context context, const cl_sampler_properties *properties, cl_int *error);
void heddle_sampler_release(cl_sampler sampler);

// What a kernel gets.
uint32_t heddle_sampler_word(cl_sampler sampler);

#endif
