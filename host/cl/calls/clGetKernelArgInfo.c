// SPDX-License-Identifier: Apache-2.0
// clGetKernelArgInfo. Of what was built from source the information is there with -cl-kernel-arg-info alone, as the
// specification has it; kernel files and SPIR-V say of themselves what they know.
#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/kernel.h"
#include "host/cl/platform.h"

static cl_kernel_arg_address_qualifier address_qualifier(const struct heddle_argument *argument) {
  static const cl_kernel_arg_address_qualifier qualifiers[] = {
      [HEDDLE_PRIVATE] = CL_KERNEL_ARG_ADDRESS_PRIVATE,   [HEDDLE_GLOBAL] = CL_KERNEL_ARG_ADDRESS_GLOBAL,
      [HEDDLE_CONSTANT] = CL_KERNEL_ARG_ADDRESS_CONSTANT, [HEDDLE_LOCAL] = CL_KERNEL_ARG_ADDRESS_LOCAL,
      [HEDDLE_GENERIC] = CL_KERNEL_ARG_ADDRESS_GLOBAL,
  };
  return qualifiers[argument->address_space];
}

static cl_kernel_arg_access_qualifier access_qualifier(const struct heddle_argument *argument) {
  static const cl_kernel_arg_access_qualifier qualifiers[] = {
      [HEDDLE_ACCESS_NONE] = CL_KERNEL_ARG_ACCESS_NONE,
      [HEDDLE_READ_ONLY] = CL_KERNEL_ARG_ACCESS_READ_ONLY,
      [HEDDLE_WRITE_ONLY] = CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
      [HEDDLE_READ_WRITE] = CL_KERNEL_ARG_ACCESS_READ_WRITE,
  };
  return qualifiers[argument->access];
}

// OpenCL 3.0, 5.9.4 "Kernel Object Queries".
static bool is_available(cl_kernel kernel) {
  const cl_program program = kernel->program;
  cl_uint index = 0;
  while (kernel->on_device[index] != kernel->description)
    index++;
  const char *options = program->builds[index].options;
  return !program->source || (options && heddle_list_has(options, "-cl-kernel-arg-info"));
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  if (arg_index >= heddle_kernel_num_arguments(kernel))
    return CL_INVALID_ARG_INDEX;
  if (param_name < CL_KERNEL_ARG_ADDRESS_QUALIFIER || param_name > CL_KERNEL_ARG_NAME)
    return CL_INVALID_VALUE;
  if (!is_available(kernel))
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
  const struct heddle_argument *argument = &kernel->description->arguments[arg_index];
  switch (param_name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
      return heddle_answer_uint(&answer, address_qualifier(argument));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
      return heddle_answer_uint(&answer, access_qualifier(argument));
    case CL_KERNEL_ARG_TYPE_QUALIFIER:  // the file uses OpenCL's bits
      return heddle_answer_ulong(&answer, argument->type_qualifiers);
    case CL_KERNEL_ARG_TYPE_NAME:
      return argument->type_name[0] ? heddle_answer_string(&answer, argument->type_name)
                                    : CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    default:  // CL_KERNEL_ARG_NAME
      return argument->name[0] ? heddle_answer_string(&answer, argument->name) : CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
  }
}
