// SPDX-License-Identifier: Apache-2.0
// The pipes of a program's channels, and which kernels begin together (channels.h).
#include "host/cl/channels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

// Kernels that begin together.
struct heddle_channel_group {
  struct heddle_channel_user **members;
  unsigned count, users, room;  // users: members that still hold it
  bool begun;
};

static void free_group(struct heddle_channel_group *group) {
  free(group->members);
  free(group);
}

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

static bool add_member(struct heddle_channel_group *group, struct heddle_channel_user *user) {
  if (group->count == group->room) {
    group->room = group->room != 0 ? 2 * group->room : 8;
    struct heddle_channel_user **larger = realloc(group->members, group->room * sizeof *larger);
    if (!larger)
      return false;
    group->members = larger;
  }
  group->members[group->count++] = user;
  return true;
}

// Adds the kernel at the other end of a channel. False: it has not come, though the program has one.
static bool add_other(struct heddle_channel_group *group, const struct heddle_channel_user *user,
                      const struct heddle_argument *channel) {
  const uint32_t access = other_end(channel);
  for (unsigned i = 0; i < group->count; i++)
    if (has_end(group->members[i]->kernel, channel, access))
      return true;
  for (struct heddle_channel_user *other = held; other; other = other->next)
    if (may_meet(user, other) && has_end(other->kernel, channel, access))
      return add_member(group, other);
  bool is_there = false;
  for (uint32_t i = 0; i < user->file->num_kernels; i++)
    is_there |= has_end(&user->file->kernels[i], channel, access);
  return !is_there;
}

// All that have to do with a kernel. False: some have not come.
static bool gather(struct heddle_channel_group *group, struct heddle_channel_user *user) {
  if (!add_member(group, user))
    return false;
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

// What it writes can be read from now on.
static void feed(const struct heddle_channel_user *user) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    cl_mem pipe = is_channel(kernel, i) ? user->object->arguments[i].memory : NULL;
    if (pipe && kernel->arguments[i].access == HEDDLE_WRITE_ONLY)
      pipe->fed++;
    else if (pipe && pipe->fed != 0)
      pipe->fed--;
  }
}

// A group one of which cannot begin, as what it waited for has failed: the others would wait for it for ever.
static bool has_failed(const struct heddle_channel_group *group) {
  bool has = false;
  for (unsigned i = 0; i < group->count; i++)
    for (cl_uint k = 0; k < group->members[i]->command->num_waits; k++)
      has |= group->members[i]->command->waits[k]->status < 0;
  return has;
}

static void begin(struct heddle_channel_group *group) {
  const bool fails = has_failed(group);
  struct heddle_command **commands = calloc(group->count, sizeof *commands);
  group->begun = true;
  for (unsigned i = 0; commands && i < group->count; i++)
    commands[i] = group->members[i]->command;
  const bool is_chain = commands && !fails && heddle_chain_join(commands, group->count);
  free(commands);
  if (is_chain)
    return;
  sort_sequences(group);
  for (unsigned i = 0; i < group->count; i++) {
    group->members[i]->command->fails = fails;
    if (!fails)
      feed(group->members[i]);
    let_go(group->members[i]->command);
  }
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
    free_group(group);
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

// ---- programs that wait

// Events whose commands are still to be looked at.
struct events {
  cl_event *items;
  size_t count, room;
};

static void add_event(struct events *events, cl_event event) {
  if (event->status <= CL_COMPLETE || !event->queue)
    return;
  if (events->count == events->room) {
    const size_t room = events->room != 0 ? 2 * events->room : 64;
    cl_event *larger = realloc(events->items, room * sizeof(cl_event));
    if (!larger)
      return;  // what it waits for is held longer than it need be
    events->items = larger;
    events->room = room;
  }
  events->items[events->count++] = event;
}

static void want(struct events *events, struct heddle_command *command) {
  if (command->wanted)
    return;
  command->wanted = true;
  for (cl_uint i = 0; i < command->num_waits; i++)
    add_event(events, command->waits[i]);
}

static bool is_in_order(const struct _cl_command_queue *queue) {
  return (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

// A command, and those in front of it that it may have to wait for. In an in-order queue nobody is looked at twice:
// what is in front of one that is wanted is, too.
static void want_event(struct events *events, cl_event event) {
  struct heddle_command *last = event->waiting;
  const bool all = is_in_order(event->queue);
  if (!last)
    return;
  for (struct heddle_command *at = last->previous; at && !(all && at->wanted); at = at->previous)
    if (all || last->after_all || at->barrier)
      want(events, at);
  want(events, last);
}

static void forget_wanted(struct _cl_command_queue *queue) {
  for (struct heddle_command *at = queue->first; at; at = at->next)
    at->wanted = false;
}

// Whether what it reads has been written, or is by what begins before it.
static bool is_fed(const struct heddle_channel_user *user) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    const bool reads = is_channel(kernel, i) && kernel->arguments[i].access == HEDDLE_READ_ONLY;
    if (reads && user->object->arguments[i].memory->fed == 0 &&
        !has_end(kernel, &kernel->arguments[i], HEDDLE_WRITE_ONLY))
      return false;
  }
  return true;
}

// Lets go those that are wanted and fed, of which one may feed another.
static void let_wanted_go(void) {
  for (bool more = true; more;) {
    more = false;
    for (struct heddle_channel_user *user = held; user && !more; user = user->next) {
      more = user->is_wanted && is_fed(user);
      if (!more)
        continue;
      take_out(user);
      feed(user);
      let_go(user->command);
      pthread_cond_broadcast(&heddle_changed);
    }
  }
}

static void release(struct events *events) {
  size_t at = 0;
  for (; at < events->count; at++)  // grows while it runs
    want_event(events, events->items[at]);
  for (struct heddle_channel_user *user = held; user; user = user->next)
    user->is_wanted = user->is_wanted || user->command->wanted;
  for (at = 0; at < events->count; at++)
    forget_wanted(events->items[at]->queue);
  free(events->items);
  let_wanted_go();
}

void heddle_channels_release_for(cl_event event) {
  struct events events = {0};
  if (!held)
    return;
  add_event(&events, event);
  release(&events);
}

void heddle_channels_release_queue(cl_command_queue queue) {
  struct events events = {0};
  for (struct heddle_command *at = held ? queue->first : NULL; at; at = at->next)
    add_event(&events, at->event);
  release(&events);
}

void heddle_channels_release_all(void) {
  for (struct heddle_channel_user *user = held; user; user = user->next)
    user->is_wanted = true;
  let_wanted_go();
}

// The channel that a kernel waits for somebody to write; NULL: none.
static const char *unfed_channel(const struct heddle_channel_user *user) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = 0; i < kernel->num_arguments; i++)
    if (is_channel(kernel, i) && kernel->arguments[i].access == HEDDLE_READ_ONLY &&
        user->object->arguments[i].memory->fed == 0)
      return kernel->arguments[i].name;
  return NULL;
}

// Tells of one kernel that a program waits for. The lock is not held meanwhile.
static bool tell_one(void) {
  struct heddle_channel_user *user = held;
  while (user && (!user->is_wanted || user->is_told || !unfed_channel(user)))
    user = user->next;
  if (!user)
    return false;
  char kernel[128], channel[128];
  cl_context context = user->command->event->context;
  snprintf(kernel, sizeof kernel, "%s", user->kernel->name);
  snprintf(channel, sizeof channel, "%s", unfed_channel(user));
  user->is_told = true;
  heddle_object_retain(context);
  pthread_mutex_unlock(&heddle_lock);
  heddle_context_report_kernel(
      context, kernel,
      "it is waited for, and itself waits for a kernel that writes its channel '%s', which has "
      "not been enqueued",
      channel);
  heddle_context_release(context);
  pthread_mutex_lock(&heddle_lock);
  return true;
}

void heddle_channels_wait(void) {
  enum { SECONDS = 2 };
  struct timespec until;
  if (!held) {
    pthread_cond_wait(&heddle_changed, &heddle_lock);
    return;
  }
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += SECONDS;
  if (pthread_cond_timedwait(&heddle_changed, &heddle_lock, &until) != ETIMEDOUT)
    return;
  while (tell_one())
    ;
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
    free_group(group);
}
