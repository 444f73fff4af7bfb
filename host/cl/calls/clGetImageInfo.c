// SPDX-License-Identifier: Apache-2.0
// clGetImageInfo.
#include "host/cl/calls.h"
#include "host/cl/image.h"
#include "host/cl/info.h"

cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, void *param_value,
                      size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_image(image))
    return CL_INVALID_MEM_OBJECT;
  const struct heddle_image *of = image->image;
  switch (param_name) {
    case CL_IMAGE_FORMAT:
      return heddle_answer_bytes(&answer, &of->format, sizeof of->format);
    case CL_IMAGE_ELEMENT_SIZE:
      return heddle_answer_size(&answer, of->pixel_bytes);
    case CL_IMAGE_ROW_PITCH:
      return heddle_answer_size(&answer, of->row_pitch);
    case CL_IMAGE_SLICE_PITCH:
      return heddle_answer_size(&answer, of->slice_pitch);
    case CL_IMAGE_WIDTH:
      return heddle_answer_size(&answer, of->width);
    case CL_IMAGE_HEIGHT:
      return heddle_answer_size(&answer, of->height);
    case CL_IMAGE_DEPTH:
      return heddle_answer_size(&answer, of->depth);
    case CL_IMAGE_ARRAY_SIZE:
      return heddle_answer_size(&answer, of->array_size);
    case CL_IMAGE_BUFFER:
      return heddle_answer_pointer(&answer, heddle_is_buffer(image->parent) ? image->parent : NULL);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
      return heddle_answer_uint(&answer, 0);
    default:
      return CL_INVALID_VALUE;
  }
}
