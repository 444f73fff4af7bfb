// SPDX-License-Identifier: Apache-2.0
// clGetKernelSubGroupInfoKHR (cl_khr_subgroups): the name the call had before OpenCL 2.1.
#include "host/cl/calls.h"

cl_int clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                                  size_t input_value_size, const void *input_value, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  return clGetKernelSubGroupInfo(kernel, device, param_name, input_value_size, input_value, param_value_size,
                                 param_value, param_value_size_ret);
}
