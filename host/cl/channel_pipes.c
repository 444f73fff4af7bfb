// SPDX-License-Identifier: Apache-2.0
// The pipes of a program's channels, which its kernels have as arguments (channels.h).
#include "host/cl/channel_pipes.h"

#include <stdlib.h>
#include <string.h>

#include "host/cl/channel_users.h"
#include "host/cl/context.h"
#include "host/cl/kernel.h"
#include "host/cl/pipe.h"

// A channel in memory has room for what its writer writes before any reader runs: this much at least.
enum { LEAST_BYTES = 1 << 20, LEAST_OF_SOURCE_BYTES = 1 << 16 };

struct heddle_channel {
  struct heddle_channel *next;
  cl_mem pipe;
  char name[];
};

static bool fits(cl_context context, uint32_t bytes, uint32_t packets) {
  for (cl_uint i = 0; i < context->num_devices; i++) {
    const struct heddle_capabilities *capabilities = heddle_capabilities_of(context->devices[i]);
    if (capabilities && (heddle_pipe_limits_of(capabilities).packet_bytes < bytes ||
                         heddle_pipe_bytes(bytes, packets) > heddle_max_allocation(capabilities)))
      return false;
  }
  return true;
}

// Whether an autorun kernel writes it that reads nothing, and so fills it whoever reads.
static bool has_source(const struct heddle_kernel_file *file, const struct heddle_argument *channel) {
  for (uint32_t i = 0; i < file->num_kernels; i++) {
    const struct heddle_kernel *writer = &file->kernels[i];
    bool reads = false;
    for (uint32_t k = heddle_first_channel(writer); k < writer->num_arguments; k++)
      reads |= writer->arguments[k].access == HEDDLE_READ_ONLY;
    if (writer->is_autorun && !reads && heddle_channel_has_end(writer, channel, HEDDLE_WRITE_ONLY))
      return true;
  }
  return false;
}

static cl_int make_pipe(cl_program program, const struct heddle_build *build, const struct heddle_kernel *kernel,
                        const struct heddle_argument *argument, cl_mem *pipe) {
  cl_context context = program->context;
  const uint32_t room = has_source(build->file, argument) ? LEAST_OF_SOURCE_BYTES : LEAST_BYTES;
  const uint32_t bytes = argument->channel_bytes, wanted = argument->channel_packets, least = room / bytes;
  uint32_t packets = wanted > least ? wanted : least;
  // A small device has less memory than that.
  while (packets > wanted && !fits(context, bytes, packets))
    packets = packets / 2 > wanted ? packets / 2 : wanted;
  if (!fits(context, bytes, packets)) {
    heddle_context_report_kernel(context, kernel->name,
                                 "its channel '%s' of %u packets of %u bytes is more than a device of the context has",
                                 argument->name, packets, bytes);
    return CL_INVALID_OPERATION;
  }
  cl_int error = CL_SUCCESS;
  *pipe = heddle_pipe_create(context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, bytes, packets, &error);
  if (*pipe)
    (*pipe)->is_concurrent = true;
  return error;
}

// The pipe of a name. The program's lock is held.
static cl_int find_pipe(cl_program program, struct heddle_build *build, const struct heddle_kernel *kernel,
                        const struct heddle_argument *argument, cl_mem *pipe) {
  struct heddle_channel *channel = build->channels;
  while (channel && strcmp(channel->name, argument->name) != 0)
    channel = channel->next;
  if (channel) {
    *pipe = channel->pipe;
    return CL_SUCCESS;
  }
  const size_t length = strlen(argument->name) + 1;
  channel = calloc(1, sizeof *channel + length);
  if (!channel)
    return CL_OUT_OF_HOST_MEMORY;
  const cl_int error = make_pipe(program, build, kernel, argument, &channel->pipe);
  if (error != CL_SUCCESS) {
    free(channel);
    return error;
  }
  memcpy(channel->name, argument->name, length);
  channel->next = build->channels;
  build->channels = channel;
  *pipe = channel->pipe;
  return CL_SUCCESS;
}

// Kernels of devices work side by side: so a channel is another pipe on each.
static cl_int set(cl_kernel kernel, uint32_t index) {
  cl_program program = kernel->program;
  cl_int error = CL_SUCCESS;
  struct heddle_kernel_argument *argument = &kernel->arguments[index];
  argument->channel = calloc(program->num_devices, sizeof(cl_mem));
  if (!argument->channel)
    return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint d = 0; d < program->num_devices && error == CL_SUCCESS; d++)
    if (kernel->on_device[d])
      error = find_pipe(program, &program->builds[d], kernel->on_device[d], &kernel->on_device[d]->arguments[index],
                        &argument->channel[d]);
  argument->set = error == CL_SUCCESS;
  argument->size = sizeof(cl_mem);
  return error;
}

cl_int heddle_channels_set(cl_kernel kernel) {
  const struct heddle_kernel *description = kernel->description;
  cl_int error = CL_SUCCESS;
  pthread_mutex_lock(&kernel->program->lock);
  for (uint32_t i = heddle_first_channel(description); i < description->num_arguments && error == CL_SUCCESS; i++)
    error = set(kernel, i);
  pthread_mutex_unlock(&kernel->program->lock);
  return error;
}

void heddle_channels_free(struct heddle_channel *channels) {
  while (channels) {
    struct heddle_channel *next = channels->next;
    heddle_memory_release(channels->pipe);
    free(channels);
    channels = next;
  }
}
