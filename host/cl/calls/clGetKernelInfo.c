// SPDX-License-Identifier: Apache-2.0
// clGetKernelInfo.
#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/kernel.h"

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size, void *param_value,
                       size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  switch (param_name) {
    case CL_KERNEL_FUNCTION_NAME:
      return heddle_answer_string(&answer, kernel->description->name);
    case CL_KERNEL_NUM_ARGS:
      return heddle_answer_uint(&answer, heddle_kernel_num_arguments(kernel));
    case CL_KERNEL_REFERENCE_COUNT:
      return heddle_answer_uint(&answer, heddle_object_references(kernel));
    case CL_KERNEL_CONTEXT:
      return heddle_answer_pointer(&answer, kernel->program->context);
    case CL_KERNEL_PROGRAM:
      return heddle_answer_pointer(&answer, kernel->program);
    case CL_KERNEL_ATTRIBUTES:
      // Those of SPIR-V have none, as the text asks.
      return heddle_answer_string(&answer, kernel->program->il ? "" : kernel->description->attributes);
    default:
      return CL_INVALID_VALUE;
  }
}
