// SPDX-License-Identifier: Apache-2.0
// Samplers (sampler.h).
#include "host/cl/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "contract/image.h"
#include "host/cl/image.h"

bool heddle_is_sampler(cl_sampler sampler) {
  return heddle_object_valid(sampler, HEDDLE_SAMPLER_OBJECT);
}

// Takes a property; *seen has a bit for each that was there before. False: there is none such, or it is there twice.
static bool take_property(cl_sampler sampler, const cl_sampler_properties property[2], unsigned *seen) {
  const cl_sampler_properties value = property[1];
  if (property[0] < CL_SAMPLER_NORMALIZED_COORDS || property[0] > CL_SAMPLER_FILTER_MODE)
    return false;
  const unsigned bit = 1u << (property[0] - CL_SAMPLER_NORMALIZED_COORDS);
  if ((*seen & bit) != 0)
    return false;
  *seen |= bit;
  switch (property[0]) {
    case CL_SAMPLER_NORMALIZED_COORDS:
      sampler->is_normalized = (cl_bool)value;
      return value == CL_TRUE || value == CL_FALSE;
    case CL_SAMPLER_ADDRESSING_MODE:
      sampler->addressing = (cl_addressing_mode)value;
      return value >= CL_ADDRESS_NONE && value <= CL_ADDRESS_MIRRORED_REPEAT;
    default:  // CL_SAMPLER_FILTER_MODE
      sampler->filter = (cl_filter_mode)value;
      return value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR;
  }
}

static cl_int take_properties(cl_sampler sampler, const cl_sampler_properties *properties) {
  unsigned seen = 0;
  size_t count = 0;
  for (; properties[count] != 0; count += 2)
    if (!take_property(sampler, &properties[count], &seen))
      return CL_INVALID_VALUE;
  sampler->properties_bytes = (count + 1) * sizeof *properties;
  sampler->properties = malloc(sampler->properties_bytes);
  if (!sampler->properties)
    return CL_OUT_OF_HOST_MEMORY;
  memcpy(sampler->properties, properties, sampler->properties_bytes);
  return CL_SUCCESS;
}

cl_sampler heddle_sampler_create(cl_context context, const cl_sampler_properties *properties, cl_int *error) {
  cl_sampler sampler = heddle_object_create(HEDDLE_SAMPLER_OBJECT, sizeof *sampler);
  if (!sampler) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  heddle_object_retain(context);
  sampler->context = context;
  sampler->is_normalized = CL_TRUE;
  sampler->addressing = CL_ADDRESS_CLAMP;
  sampler->filter = CL_FILTER_NEAREST;
  *error = properties ? take_properties(sampler, properties) : CL_SUCCESS;
  if (*error == CL_SUCCESS && !heddle_images_offered())
    *error = CL_INVALID_OPERATION;
  if (*error == CL_SUCCESS)
    return sampler;
  heddle_sampler_release(sampler);
  return NULL;
}

void heddle_sampler_release(cl_sampler sampler) {
  if (!heddle_object_release(sampler))
    return;
  cl_context context = sampler->context;
  free(sampler->properties);
  free(sampler);
  heddle_context_release(context);
}

uint32_t heddle_sampler_word(cl_sampler sampler) {
  static const uint32_t addressing[] = {HEDDLE_SAMPLER_ADDRESS_NONE, HEDDLE_SAMPLER_CLAMP_TO_EDGE, HEDDLE_SAMPLER_CLAMP,
                                        HEDDLE_SAMPLER_REPEAT, HEDDLE_SAMPLER_MIRRORED_REPEAT};
  return addressing[sampler->addressing - CL_ADDRESS_NONE] |
         (sampler->filter == CL_FILTER_LINEAR ? HEDDLE_SAMPLER_LINEAR : HEDDLE_SAMPLER_NEAREST) |
         (sampler->is_normalized ? HEDDLE_SAMPLER_NORMALIZED : 0);
}
