// SPDX-License-Identifier: Apache-2.0
// The pipes of a program's channels, and which kernels begin together (channels.h).
#include "host/cl/channels.h"

#include <stdlib.h>
#include <string.h>

#include "host/cl/chain.h"
#include "host/cl/context.h"
#include "host/cl/kernel.h"
#include "host/cl/pipe.h"
#include "host/cl/schedule.h"

// A channel in memory has room for what its writer writes before any reader runs: this much at least.
enum { LEAST_BYTES = 1 << 20 };

struct heddle_channel {
  struct heddle_channel *next;
  cl_mem pipe;
  char name[];
};

// ---- a program's pipes

static bool fits(cl_context context, uint32_t bytes, uint32_t packets) {
  for (cl_uint i = 0; i < context->num_devices; i++) {
    const struct heddle_capabilities *capabilities = heddle_capabilities_of(context->devices[i]);
    if (capabilities && (heddle_pipe_limits_of(capabilities).packet_bytes < bytes ||
                         heddle_pipe_bytes(bytes, packets) > heddle_max_allocation(capabilities)))
      return false;
  }
  return true;
}

static cl_int make_pipe(cl_kernel kernel, const struct heddle_argument *argument, cl_mem *pipe) {
  cl_context context = kernel->program->context;
  const uint32_t bytes = argument->channel_bytes, wanted = argument->channel_packets, least = LEAST_BYTES / bytes;
  uint32_t packets = wanted > least ? wanted : least;
  // A small device has less memory than that.
  while (packets > wanted && !fits(context, bytes, packets))
    packets = packets / 2 > wanted ? packets / 2 : wanted;
  if (!fits(context, bytes, packets)) {
    heddle_context_report_kernel(context, kernel->description->name,
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
static cl_int find_pipe(cl_kernel kernel, const struct heddle_argument *argument, cl_mem *pipe) {
  cl_program program = kernel->program;
  struct heddle_channel *channel = program->channels;
  // One that is left of an earlier build may have other packets.
  while (channel &&
         (strcmp(channel->name, argument->name) != 0 || channel->pipe->packet_bytes != argument->channel_bytes))
    channel = channel->next;
  if (channel) {
    *pipe = channel->pipe;
    return CL_SUCCESS;
  }
  const size_t length = strlen(argument->name) + 1;
  channel = calloc(1, sizeof *channel + length);
  if (!channel)
    return CL_OUT_OF_HOST_MEMORY;
  const cl_int error = make_pipe(kernel, argument, &channel->pipe);
  if (error != CL_SUCCESS) {
    free(channel);
    return error;
  }
  memcpy(channel->name, argument->name, length);
  channel->next = program->channels;
  program->channels = channel;
  *pipe = channel->pipe;
  return CL_SUCCESS;
}

cl_int heddle_channels_set(cl_kernel kernel) {
  const struct heddle_kernel *description = kernel->description;
  cl_int error = CL_SUCCESS;
  pthread_mutex_lock(&kernel->program->lock);
  for (uint32_t i = description->num_arguments - description->num_channels;
       i < description->num_arguments && error == CL_SUCCESS; i++) {
    struct heddle_kernel_argument *argument = &kernel->arguments[i];
    error = find_pipe(kernel, &description->arguments[i], &argument->memory);
    argument->set = error == CL_SUCCESS;
    argument->size = sizeof(cl_mem);
  }
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

// ---- groups

enum { MOST_MEMBERS = 64 };

// Kernels that begin together.
struct heddle_channel_group {
  struct heddle_channel_user *members[MOST_MEMBERS];
  unsigned count, users;  // users: members that still hold it
  bool begun;
};

static struct heddle_channel_user *held;  // without a group, the oldest first; guarded by heddle_lock

static bool is_channel(const struct heddle_kernel *kernel, uint32_t argument) {
  return argument >= kernel->num_arguments - kernel->num_channels;
}

// Whether a kernel has an end of a channel.
static bool has_end(const struct heddle_kernel *kernel, const struct heddle_argument *channel, uint32_t access) {
  for (uint32_t i = 0; i < kernel->num_arguments; i++)
    if (is_channel(kernel, i) && kernel->arguments[i].access == access &&
        strcmp(kernel->arguments[i].name, channel->name) == 0)
      return true;
  return false;
}

static uint32_t other_end(const struct heddle_argument *channel) {
  return channel->access == HEDDLE_READ_ONLY ? HEDDLE_WRITE_ONLY : HEDDLE_READ_ONLY;
}

// Of the same program and device.
static bool may_meet(const struct heddle_channel_user *one, const struct heddle_channel_user *other) {
  return one->file == other->file && one->command->event->queue->device == other->command->event->queue->device;
}

// Adds the kernel at the other end of a channel. False: it has not come, though the program has one.
static bool add_other(struct heddle_channel_group *group, const struct heddle_channel_user *user,
                      const struct heddle_argument *channel) {
  const uint32_t access = other_end(channel);
  for (unsigned i = 0; i < group->count; i++)
    if (has_end(group->members[i]->kernel, channel, access))
      return true;
  for (struct heddle_channel_user *other = held; other; other = other->next)
    if (may_meet(user, other) && has_end(other->kernel, channel, access)) {
      if (group->count == MOST_MEMBERS)
        return false;
      group->members[group->count++] = other;
      return true;
    }
  bool is_there = false;
  for (uint32_t i = 0; i < user->file->num_kernels; i++)
    is_there |= has_end(&user->file->kernels[i], channel, access);
  return !is_there;
}

// All that have to do with a kernel. False: some have not come.
static bool gather(struct heddle_channel_group *group, struct heddle_channel_user *user) {
  group->count = 1;
  group->members[0] = user;
  for (unsigned i = 0; i < group->count; i++) {
    const struct heddle_kernel *kernel = group->members[i]->kernel;
    for (uint32_t k = 0; k < kernel->num_arguments; k++)
      if (is_channel(kernel, k) && !add_other(group, group->members[i], &kernel->arguments[k]))
        return false;
  }
  return true;
}

// Whether another member from `first` on writes what this one reads.
static bool is_fed_later(const struct heddle_channel_group *group, unsigned first, unsigned at) {
  const struct heddle_kernel *kernel = group->members[at]->kernel;
  for (uint32_t k = 0; k < kernel->num_arguments; k++)
    for (unsigned i = first; i < group->count && is_channel(kernel, k); i++)
      if (i != at && kernel->arguments[k].access == HEDDLE_READ_ONLY &&
          has_end(group->members[i]->kernel, &kernel->arguments[k], HEDDLE_WRITE_ONLY))
        return true;
  return false;
}

// Writers first; of those that go round in a circle the first.
static void order(struct heddle_channel_group *group) {
  for (unsigned first = 0; first < group->count; first++) {
    unsigned at = first;
    while (at < group->count && is_fed_later(group, first, at))
      at++;
    if (at == group->count)
      at = first;
    struct heddle_channel_user *next = group->members[at];
    memmove(&group->members[first + 1], &group->members[first], (at - first) * sizeof next);
    group->members[first] = next;
  }
}

static void take_out(struct heddle_channel_user *user) {
  struct heddle_channel_user **at = &held;
  while (*at && *at != user)
    at = &(*at)->next;
  if (*at)
    *at = user->next;
  user->next = NULL;
}

// ---- beginning

static bool is_of_member(const struct heddle_channel_group *group, const struct _cl_event *event) {
  for (unsigned i = 0; i < group->count; i++)
    if (group->members[i]->command->event == event)
      return true;
  return false;
}

// It waits for nothing but members.
static bool could_begin(const struct heddle_channel_group *group, const struct heddle_command *command) {
  for (cl_uint i = 0; i < command->num_waits; i++)
    if (command->waits[i]->status > CL_COMPLETE && !is_of_member(group, command->waits[i]))
      return false;
  return command->open || (command->previous && is_of_member(group, command->previous->event));
}

// Of those that may begin, the one that was enqueued first does: so writers are to be those.
static void sort_sequences(const struct heddle_channel_group *group) {
  for (unsigned i = 0; i < group->count; i++)
    for (unsigned k = i + 1; k < group->count; k++) {
      struct heddle_command *one = group->members[i]->command, *other = group->members[k]->command;
      const uint64_t sequence = one->sequence;
      if (sequence < other->sequence)
        continue;
      one->sequence = other->sequence;
      other->sequence = sequence;
    }
}

static void let_go(struct heddle_command *command) {
  command->held = false;
  heddle_schedule_look(command);
}

static void begin(struct heddle_channel_group *group) {
  struct heddle_command *commands[MOST_MEMBERS];
  for (unsigned i = 0; i < group->count; i++)
    commands[i] = group->members[i]->command;
  group->begun = true;
  if (heddle_chain_join(commands, group->count))
    return;
  sort_sequences(group);
  for (unsigned i = 0; i < group->count; i++)
    let_go(commands[i]);
}

void heddle_channels_changed(struct heddle_channel_user *user) {
  struct heddle_channel_group *group = user->group;
  if (!group || group->begun)
    return;
  for (unsigned i = 0; i < group->count; i++)
    if (!could_begin(group, group->members[i]->command))
      return;
  begin(group);
  pthread_cond_broadcast(&heddle_changed);
}

// ---- coming and going

void heddle_channels_arrive(struct heddle_command *command) {
  struct heddle_channel_user **last = &held;
  while (*last)
    last = &(*last)->next;
  *last = command->channel_user;
  command->held = true;
}

// What has come last makes a group whole, if anything does.
void heddle_channels_look(void) {
  struct heddle_channel_user *newest = held;
  while (newest && newest->next)
    newest = newest->next;
  struct heddle_channel_group *group = newest ? calloc(1, sizeof *group) : NULL;
  if (!group)
    return;
  if (!gather(group, newest)) {
    free(group);
    return;
  }
  order(group);
  group->users = group->count;
  for (unsigned i = 0; i < group->count; i++) {
    take_out(group->members[i]);
    group->members[i]->group = group;
  }
  heddle_channels_changed(newest);
}

void heddle_channels_release(void) {
  while (held) {
    struct heddle_channel_user *user = held;
    take_out(user);
    let_go(user->command);
    pthread_cond_broadcast(&heddle_changed);
  }
}

void heddle_channels_forget(struct heddle_channel_user *user) {
  if (!user->command)
    return;
  pthread_mutex_lock(&heddle_lock);
  struct heddle_channel_group *group = user->group;
  take_out(user);
  user->group = NULL;
  const bool last = group && --group->users == 0;
  pthread_mutex_unlock(&heddle_lock);
  if (last)
    free(group);
}
