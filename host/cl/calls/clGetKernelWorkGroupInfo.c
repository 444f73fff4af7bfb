// SPDX-License-Identifier: Apache-2.0
// clGetKernelWorkGroupInfo.
#include <CL/cl_ext.h>
#include <CL/cl_heddle.h>

#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/kernel.h"

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                                size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  const struct heddle_kernel *on_device = heddle_kernel_on(kernel, &device);
  if (!on_device)
    return CL_INVALID_DEVICE;
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(device);
  switch (param_name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
      return heddle_answer_size(&answer, heddle_kernel_work_group_size(on_device, capabilities));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
      const size_t sizes[3] = {on_device->reqd_work_group_size[0], on_device->reqd_work_group_size[1],
                               on_device->reqd_work_group_size[2]};
      return heddle_answer_bytes(&answer, sizes, sizeof sizes);
    }
    case CL_KERNEL_LOCAL_MEM_SIZE:
      return heddle_answer_ulong(&answer, heddle_kernel_local_bytes(kernel, on_device));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return heddle_answer_size(&answer, heddle_kernel_sub_group_size(on_device, capabilities));
    case CL_KERNEL_PRIVATE_MEM_SIZE:
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:  // all of the stack: the file does not say what of it was spilled
      return heddle_answer_ulong(&answer, on_device->stack_bytes);
    case CL_KERNEL_KIND_HEDDLE:
      return heddle_answer_uint(&answer, heddle_kernel_kind_number(on_device, capabilities));
    default:  // CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels
      return CL_INVALID_VALUE;
  }
}
