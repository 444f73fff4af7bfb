// SPDX-License-Identifier: Apache-2.0
// clGetKernelSubGroupInfo (OpenCL 3.0 section 5.9.3; cl_khr_subgroups; cl_intel_required_subgroup_size).
#include <CL/cl_ext.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/info.h"
#include "host/cl/ndrange.h"

// Sub-groups of a kernel on a device.
struct shape {
  const struct heddle_kernel *kernel;
  size_t size;   // S
  size_t count;  // most in a work-group
};

// Work-items of the work-group in input_value, an array of one to three sizes. False: it is not one, or their number is
// no size_t.
static bool read_local_size(size_t input_size, const void *input, size_t *work_items) {
  size_t sizes[3];
  if (!input || input_size == 0 || input_size > sizeof sizes || input_size % sizeof *sizes != 0)
    return false;
  memcpy(sizes, input, input_size);
  *work_items = 1;
  bool fits = true;
  for (size_t i = 0; i < input_size / sizeof *sizes; i++)
    fits = fits && !__builtin_mul_overflow(*work_items, sizes[i], work_items);
  return fits;
}

// A local size of one to three dimensions, as many as there is room for, that makes `count` sub-groups; zeros: none
// does.
static cl_int answer_local_size(const struct shape *shape, size_t count, const struct heddle_answer *answer) {
  size_t sizes[3] = {0, 0, 0};
  const uint32_t *required = shape->kernel->reqd_work_group_size;
  const size_t dimensions = answer->value ? answer->size / sizeof *sizes : 3;
  if (dimensions == 0)
    return CL_INVALID_VALUE;
  if (required[0] != 0) {
    const uint64_t work_items = heddle_volume(required);
    const bool fits = (dimensions > 1 || required[1] == 1) && (dimensions > 2 || required[2] == 1);
    for (int i = 0; i < 3 && fits && work_items / shape->size + (work_items % shape->size != 0) == count; i++)
      sizes[i] = required[i];
  } else if (count != 0 && count <= shape->count) {
    sizes[0] = count * shape->size;
    sizes[1] = sizes[2] = 1;
  }
  return heddle_answer_bytes(answer, sizes, (dimensions < 3 ? dimensions : 3) * sizeof *sizes);
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                               size_t input_value_size, const void *input_value, size_t param_value_size,
                               void *param_value, size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  size_t input;
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  const struct heddle_kernel *on_device = heddle_kernel_on(kernel, &device);
  if (!on_device)
    return CL_INVALID_DEVICE;
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(device);
  const struct shape shape = {
      .kernel = on_device,
      .size = heddle_kernel_sub_group_size(on_device, capabilities),
      .count = heddle_kernel_kind(on_device, capabilities)->slots,
  };
  switch (param_name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
      if (!read_local_size(input_value_size, input_value, &input))
        return CL_INVALID_VALUE;
      return heddle_answer_size(&answer, shape.size);  // what get_max_sub_group_size() returns, whatever the local size
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
      if (!read_local_size(input_value_size, input_value, &input))
        return CL_INVALID_VALUE;
      return heddle_answer_size(&answer, input / shape.size + (input % shape.size != 0));
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
      if (!input_value || input_value_size != sizeof input)
        return CL_INVALID_VALUE;
      memcpy(&input, input_value, sizeof input);
      return answer_local_size(&shape, input, &answer);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
      return heddle_answer_size(&answer, shape.count);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
      return heddle_answer_size(&answer, shape.kernel->required_num_sub_groups);  // only SPIR-V can say it
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
      return heddle_answer_size(&answer, shape.kernel->required_sub_group_size);
    default:
      return CL_INVALID_VALUE;
  }
}
