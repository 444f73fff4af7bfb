// SPDX-License-Identifier: Apache-2.0
// Checks of a kernel before it is enqueued, and the local size that would be chosen (enqueue_check.h).
#include "host/cl/enqueue_check.h"

#include <inttypes.h>

#include "host/cl/image.h"
#include "host/cl/pipe.h"

// Whether it is what the argument takes. It may have been released, and its address used again: kernels hold no
// references.
static bool memory_fits(cl_mem memory, cl_context context, const struct heddle_argument *argument) {
  if (!heddle_is_memory(memory) || memory->context != context)
    return false;
  return heddle_argument_is_image(argument)  ? heddle_image_fits(memory, argument)
         : heddle_argument_is_pipe(argument) ? heddle_is_pipe(memory)
                                             : heddle_is_buffer(memory);
}

static cl_int check_arguments(cl_kernel kernel, const struct heddle_kernel *on_device, cl_command_queue queue) {
  const cl_context context = queue->context;
  for (uint32_t i = 0; i < on_device->num_arguments; i++) {
    const struct heddle_kernel_argument *given = &kernel->arguments[i];
    if (!given->set)
      return CL_INVALID_KERNEL_ARGS;
    if (given->memory && !memory_fits(given->memory, context, &on_device->arguments[i]))
      return CL_INVALID_KERNEL_ARGS;
    if (given->memory && given->memory->image && !heddle_image_format_fits(given->memory, &on_device->arguments[i]))
      return CL_IMAGE_FORMAT_NOT_SUPPORTED;
    if (given->queue && (!heddle_is_on_device_queue(given->queue) || given->queue->context != context ||
                         given->queue->device != queue->device))
      return CL_INVALID_KERNEL_ARGS;
  }
  return CL_SUCCESS;
}

cl_int heddle_enqueue_check(cl_command_queue queue, cl_kernel kernel, int *index, struct heddle_launch *launch) {
  if (!heddle_is_host_queue(queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  if (kernel->program->context != queue->context)
    return CL_INVALID_CONTEXT;
  *index = heddle_program_build_of(kernel->program, queue->device);
  if (*index < 0 || !kernel->on_device[*index])
    return CL_INVALID_PROGRAM_EXECUTABLE;
  *launch = (struct heddle_launch){
      .kernel = kernel->on_device[*index],
      .capabilities = heddle_capabilities_of(queue->device),
      .uniform = kernel->program->builds[*index].file->is_uniform,
  };
  // What runs on a pipeline of a device may be too much for the units of its sub-devices.
  const struct heddle_unit_kind *kind = heddle_kernel_kind(launch->kernel, launch->capabilities);
  const uint32_t size = launch->kernel->required_sub_group_size, number = launch->kernel->required_num_sub_groups;
  if (size > kind->lanes) {
    heddle_context_report_kernel(queue->context, launch->kernel->name,
                                 "it requires sub-groups of %u work-items; the device has them of up to %u", size,
                                 kind->lanes);
    return CL_INVALID_PROGRAM_EXECUTABLE;
  }
  if (number > kind->slots) {
    heddle_context_report_kernel(queue->context, launch->kernel->name,
                                 "it requires work-groups of %u sub-groups; the device has room for %u", number,
                                 kind->slots);
    return CL_INVALID_PROGRAM_EXECUTABLE;
  }
  return check_arguments(kernel, launch->kernel, queue);
}

cl_int heddle_local_memory_check(cl_kernel kernel, const struct heddle_launch *launch) {
  const uint64_t needed = heddle_kernel_local_bytes(kernel, launch->kernel);
  const uint32_t there = heddle_kernel_kind(launch->kernel, launch->capabilities)->local_bytes;
  if (needed <= there)
    return CL_SUCCESS;
  heddle_context_report_kernel(kernel->program->context, launch->kernel->name,
                               "its local variables and arguments have %" PRIu64
                               " bytes; a work-group has %u bytes of local memory",
                               needed, there);
  return CL_OUT_OF_RESOURCES;
}

cl_int heddle_suggest_local_size(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim, const size_t *offset,
                                 const size_t *global, size_t *suggested) {
  struct heddle_launch launch;
  struct heddle_ndrange range = {0};
  int index;
  cl_int error = heddle_enqueue_check(queue, kernel, &index, &launch);
  // Unlike a launch, a question about no work-items is an error.
  for (cl_uint i = 0; i < work_dim && work_dim <= 3 && error == CL_SUCCESS; i++)
    error = !global || global[i] == 0 ? CL_INVALID_GLOBAL_WORK_SIZE : CL_SUCCESS;
  if (error == CL_SUCCESS)
    error = heddle_ndrange_make(&launch, work_dim, offset, global, NULL, &range);
  if (error == CL_SUCCESS && !suggested)
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_local_memory_check(kernel, &launch);
  for (cl_uint i = 0; i < work_dim && error == CL_SUCCESS; i++)
    suggested[i] = range.local_size[i];
  return error;
}
