// SPDX-License-Identifier: Apache-2.0
// clSetKernelArg.
#include <stdlib.h>
#include <string.h>

#include "host/cl/calls.h"
#include "host/cl/image.h"
#include "host/cl/kernel.h"
#include "host/cl/pipe.h"
#include "host/cl/queue.h"
#include "host/cl/sampler.h"

static cl_int give(struct heddle_kernel_argument *given, cl_mem memory) {
  given->memory = memory;
  given->offset = 0;
  given->size = sizeof memory;
  given->set = true;
  return CL_SUCCESS;
}

static cl_int set_local(struct heddle_kernel_argument *given, size_t size, const void *value) {
  if (value)
    return CL_INVALID_ARG_VALUE;
  if (size == 0 || size > UINT32_MAX)
    return CL_INVALID_ARG_SIZE;
  given->size = size;
  given->set = true;
  return CL_SUCCESS;
}

// A pointer to global or constant memory: a buffer, or nothing.
static cl_int set_buffer(struct heddle_kernel_argument *given, cl_context context, size_t size, const void *value) {
  cl_mem memory = NULL;
  if (size != sizeof(cl_mem))
    return CL_INVALID_ARG_SIZE;
  if (value)
    memcpy(&memory, value, sizeof memory);
  if (memory && (!heddle_is_memory(memory) || memory->context != context))
    return CL_INVALID_MEM_OBJECT;
  if (memory && !heddle_is_buffer(memory))
    return CL_INVALID_ARG_VALUE;
  return give(given, memory);
}

// A pipe, and never nothing.
static cl_int set_pipe(struct heddle_kernel_argument *given, cl_context context, size_t size, const void *value) {
  cl_mem memory;
  if (!value)
    return CL_INVALID_ARG_VALUE;
  if (size != sizeof(cl_mem))
    return CL_INVALID_ARG_SIZE;
  memcpy(&memory, value, sizeof memory);
  if (!memory || !heddle_is_memory(memory) || memory->context != context)
    return CL_INVALID_MEM_OBJECT;
  if (!heddle_is_pipe(memory))
    return CL_INVALID_ARG_VALUE;
  return give(given, memory);
}

// An image of the type that the kernel declares, made for the access that it declares.
static cl_int set_image(struct heddle_kernel_argument *given, cl_context context,
                        const struct heddle_argument *argument, size_t size, const void *value) {
  cl_mem memory = NULL;
  if (size != sizeof memory)
    return CL_INVALID_ARG_SIZE;
  if (value)
    memcpy(&memory, value, sizeof memory);
  if (!memory || !heddle_is_memory(memory) || memory->context != context)
    return CL_INVALID_MEM_OBJECT;
  if (!heddle_image_fits(memory, argument))
    return CL_INVALID_ARG_VALUE;
  return give(given, memory);
}

static cl_int set_value(struct heddle_kernel_argument *given, size_t wanted, size_t size, const void *value) {
  if (!value)
    return CL_INVALID_ARG_VALUE;
  if (size != wanted)
    return CL_INVALID_ARG_SIZE;
  if (!given->value)
    given->value = malloc(size ? size : 1);
  if (!given->value)
    return CL_OUT_OF_HOST_MEMORY;
  memcpy(given->value, value, size);
  given->size = size;
  given->set = true;
  return CL_SUCCESS;
}

static cl_int set_queue(struct heddle_kernel_argument *given, cl_context context, size_t size, const void *value) {
  cl_command_queue queue = NULL;
  if (!value)
    return CL_INVALID_ARG_VALUE;
  if (size != sizeof queue)
    return CL_INVALID_ARG_SIZE;
  memcpy(&queue, value, sizeof queue);
  if (!heddle_is_on_device_queue(queue) || queue->context != context)
    return CL_INVALID_DEVICE_QUEUE;
  given->queue = queue;
  given->size = size;
  given->set = true;
  return CL_SUCCESS;
}

// The kernel gets the sampler's word: the sampler itself is not needed any more.
static cl_int set_sampler(struct heddle_kernel_argument *given, cl_context context, size_t wanted, size_t size,
                          const void *value) {
  cl_sampler sampler = NULL;
  if (size != sizeof sampler)
    return CL_INVALID_ARG_SIZE;
  if (value)
    memcpy(&sampler, value, sizeof sampler);
  if (!sampler || !heddle_is_sampler(sampler) || sampler->context != context)
    return CL_INVALID_SAMPLER;
  const uint32_t word = heddle_sampler_word(sampler);
  return set_value(given, wanted, sizeof word, &word);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void *arg_value) {
  HEDDLE_CALL;
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  if (arg_index >= heddle_kernel_num_arguments(kernel))
    return CL_INVALID_ARG_INDEX;
  const struct heddle_argument *argument = &kernel->description->arguments[arg_index];
  struct heddle_kernel_argument *given = &kernel->arguments[arg_index];
  switch (argument->kind) {
    case HEDDLE_POINTER:
      if (heddle_argument_is_local(argument))
        return set_local(given, arg_size, arg_value);
      return heddle_argument_is_pipe(argument) ? set_pipe(given, kernel->program->context, arg_size, arg_value)
                                               : set_buffer(given, kernel->program->context, arg_size, arg_value);
    case HEDDLE_SAMPLER:
      return set_sampler(given, kernel->program->context, argument->size, arg_size, arg_value);
    case HEDDLE_IMAGE:
      return set_image(given, kernel->program->context, argument, arg_size, arg_value);
    case HEDDLE_QUEUE:
      return set_queue(given, kernel->program->context, arg_size, arg_value);
    default:
      return set_value(given, argument->size, arg_size, arg_value);
  }
}
