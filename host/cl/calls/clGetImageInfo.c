// SPDX-License-Identifier: Apache-2.0
// clGetImageInfo: no memory object is an image.
#include "host/cl/calls.h"

cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, void *param_value,
                      size_t *param_value_size_ret) {
  HEDDLE_CALL;
  (void)image, (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
  return CL_INVALID_MEM_OBJECT;
}
