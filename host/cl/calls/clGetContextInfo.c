// SPDX-License-Identifier: Apache-2.0
// clGetContextInfo.
#include "host/cl/calls.h"
#include "host/cl/context.h"
#include "host/cl/info.h"

cl_int clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_context(context))
    return CL_INVALID_CONTEXT;
  switch (param_name) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return heddle_answer_uint(&answer, heddle_object_references(context));
    case CL_CONTEXT_NUM_DEVICES:
      return heddle_answer_uint(&answer, context->num_devices);
    case CL_CONTEXT_DEVICES:
      return heddle_answer_bytes(&answer, context->devices, context->num_devices * sizeof *context->devices);
    case CL_CONTEXT_PROPERTIES:
      return heddle_answer_bytes(&answer, context->properties, context->properties_bytes);
    default:
      return CL_INVALID_VALUE;
  }
}
