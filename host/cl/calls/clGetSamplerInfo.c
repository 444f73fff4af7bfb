// SPDX-License-Identifier: Apache-2.0
// clGetSamplerInfo.
#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/sampler.h"

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_sampler(sampler))
    return CL_INVALID_SAMPLER;
  switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT:
      return heddle_answer_uint(&answer, heddle_object_references(sampler));
    case CL_SAMPLER_CONTEXT:
      return heddle_answer_pointer(&answer, sampler->context);
    case CL_SAMPLER_NORMALIZED_COORDS:
      return heddle_answer_bool(&answer, sampler->is_normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
      return heddle_answer_uint(&answer, sampler->addressing);
    case CL_SAMPLER_FILTER_MODE:
      return heddle_answer_uint(&answer, sampler->filter);
    case CL_SAMPLER_PROPERTIES:
      return heddle_answer_bytes(&answer, sampler->properties, sampler->properties_bytes);
    default:  // what concerns mipmaps, too, which there are none of
      return CL_INVALID_VALUE;
  }
}
