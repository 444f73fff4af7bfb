// SPDX-License-Identifier: Apache-2.0
// Kernels (kernel.h).
#include "host/cl/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "host/cl/channel_pipes.h"

enum { LOCAL_ALIGNMENT = 128 };

bool heddle_is_kernel(cl_kernel kernel) {
  return heddle_object_valid(kernel, HEDDLE_KERNEL_OBJECT);
}

// Whether two devices' executables have the same kernel: what clSetKernelArg has to know agrees.
static bool same_definition(const struct heddle_kernel *one, const struct heddle_kernel *other) {
  if (one->num_arguments != other->num_arguments || one->num_channels != other->num_channels)
    return false;
  for (uint32_t i = 0; i < one->num_arguments; i++) {
    const struct heddle_argument *a = &one->arguments[i], *b = &other->arguments[i];
    if (a->size != b->size || a->kind != b->kind || a->address_space != b->address_space ||
        heddle_argument_is_pipe(a) != heddle_argument_is_pipe(b) || a->channel_bytes != b->channel_bytes)
      return false;
  }
  return true;
}

static cl_int find_on_devices(cl_kernel kernel, const char *name) {
  cl_program program = kernel->program;
  cl_int error = CL_INVALID_KERNEL_NAME;
  pthread_mutex_lock(&program->lock);
  for (cl_uint i = 0; i < program->num_devices; i++) {
    if (!program->builds[i].file)
      continue;
    kernel->on_device[i] = heddle_kernel_file_find(program->builds[i].file, name);
    if (!kernel->on_device[i])
      continue;
    if (!kernel->description)
      kernel->description = kernel->on_device[i];
    error = same_definition(kernel->description, kernel->on_device[i]) && error != CL_INVALID_KERNEL_DEFINITION
                ? CL_SUCCESS
                : CL_INVALID_KERNEL_DEFINITION;
  }
  // From here on the program cannot be rebuilt.
  atomic_fetch_add(&program->num_kernels, 1);
  pthread_mutex_unlock(&program->lock);
  return error;
}

cl_kernel heddle_kernel_create(cl_program program, const char *name, cl_int *error) {
  cl_kernel kernel = heddle_object_create(HEDDLE_KERNEL_OBJECT, sizeof *kernel);
  if (!kernel) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  heddle_object_retain(program);
  kernel->program = program;
  *error = find_on_devices(kernel, name);
  if (*error == CL_SUCCESS) {
    const uint32_t count = kernel->description->num_arguments;
    kernel->arguments = calloc(count ? count : 1, sizeof *kernel->arguments);
    if (!kernel->arguments)
      *error = CL_OUT_OF_HOST_MEMORY;
    else
      *error = heddle_channels_set(kernel);
  }
  if (*error != CL_SUCCESS) {
    heddle_kernel_release(kernel);
    return NULL;
  }
  return kernel;
}

void heddle_kernel_release(cl_kernel kernel) {
  if (!heddle_object_release(kernel))
    return;
  for (uint32_t i = 0; kernel->arguments && i < kernel->description->num_arguments; i++) {
    free(kernel->arguments[i].value);
    free(kernel->arguments[i].channel);
  }
  free(kernel->arguments);
  for (size_t i = 0; i < sizeof kernel->reached / sizeof *kernel->reached; i++)
    free(kernel->reached[i].memories);
  atomic_fetch_sub(&kernel->program->num_kernels, 1);
  heddle_program_release(kernel->program);
  free(kernel);
}

const struct heddle_kernel *heddle_kernel_on(cl_kernel kernel, cl_device_id *device) {
  cl_program program = kernel->program;
  if (!*device && program->num_devices == 1)
    *device = program->devices[0];
  const int index = heddle_is_device(*device) ? heddle_program_build_of(program, *device) : -1;
  return index >= 0 ? kernel->on_device[index] : NULL;
}

uint32_t heddle_kernel_sub_group_size(const struct heddle_kernel *kernel,
                                      const struct heddle_capabilities *capabilities) {
  const uint32_t lanes = heddle_kernel_kind(kernel, capabilities)->lanes;
  const struct heddle_unit_kind *chain = heddle_kernel_chain_kind(kernel, capabilities);
  return kernel->required_sub_group_size ? kernel->required_sub_group_size
         : chain && chain->lanes < lanes ? chain->lanes
                                         : lanes;
}

static uint32_t most_work_items(const struct heddle_kernel *kernel, const struct heddle_capabilities *capabilities,
                                const struct heddle_unit_kind *kind) {
  const uint32_t items = kind->slots * heddle_kernel_sub_group_size(kernel, capabilities);
  return items < kind->work_group_items ? items : kind->work_group_items;
}

uint32_t heddle_kernel_work_group_size(const struct heddle_kernel *kernel,
                                       const struct heddle_capabilities *capabilities) {
  const uint32_t most = most_work_items(kernel, capabilities, heddle_kernel_kind(kernel, capabilities));
  const struct heddle_unit_kind *chain = heddle_kernel_chain_kind(kernel, capabilities);
  const uint32_t in_chain = chain ? most_work_items(kernel, capabilities, chain) : most;
  return in_chain < most ? in_chain : most;
}

uint32_t heddle_kernel_variable_bytes(const struct heddle_kernel *kernel) {
  return kernel->kind + kernel->chain_kind != 0 && kernel->pipeline_local_bytes > kernel->local_bytes
             ? kernel->pipeline_local_bytes
             : kernel->local_bytes;
}

bool heddle_argument_is_local(const struct heddle_argument *argument) {
  return argument->kind == HEDDLE_POINTER && argument->address_space == HEDDLE_LOCAL;
}

bool heddle_argument_is_memory(const struct heddle_argument *argument) {
  return heddle_argument_is_image(argument) ||
         (argument->kind == HEDDLE_POINTER && argument->address_space != HEDDLE_LOCAL);
}

bool heddle_argument_is_pipe(const struct heddle_argument *argument) {
  return heddle_argument_is_memory(argument) && (argument->type_qualifiers & HEDDLE_PIPE) != 0;
}

bool heddle_argument_is_image(const struct heddle_argument *argument) {
  return argument->kind == HEDDLE_IMAGE;
}

uint64_t heddle_kernel_local_bytes(cl_kernel kernel, const struct heddle_kernel *on_device) {
  uint64_t bytes = heddle_kernel_variable_bytes(on_device);
  for (uint32_t i = 0; i < on_device->num_arguments; i++)
    if (heddle_argument_is_local(&on_device->arguments[i]) && kernel->arguments[i].set)
      bytes = (bytes + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT + kernel->arguments[i].size;
  return bytes;
}
