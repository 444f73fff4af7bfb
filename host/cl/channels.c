// SPDX-License-Identifier: Apache-2.0
// Which kernels with channels begin together (channels.h).
#include "host/cl/channels.h"

#include <stdlib.h>
#include <string.h>

#include "host/cl/chain.h"
#include "host/cl/dependencies.h"
#include "host/cl/kernel.h"
#include "host/cl/schedule.h"

// Kernels that begin together.
struct heddle_channel_group {
  struct heddle_channel_user **members;
  unsigned count, users, room;  // users: members that still hold it
  bool begun;
  struct heddle_channel_group *next;  // that has not begun
};

static struct heddle_channel_group *waiting;  // guarded by heddle_lock

static void take_out_of_waiting(const struct heddle_channel_group *group) {
  struct heddle_channel_group **at = &waiting;
  while (*at && *at != group)
    at = &(*at)->next;
  if (*at)
    *at = group->next;
}

static void free_group(struct heddle_channel_group *group) {
  free(group->members);
  free(group);
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
    if (heddle_channel_has_end(group->members[i]->kernel, channel, access))
      return true;
  for (struct heddle_channel_user *other = heddle_channels_held; other; other = other->next)
    if (may_meet(user, other) && heddle_channel_has_end(other->kernel, channel, access))
      return add_member(group, other);
  bool is_there = false;
  for (uint32_t i = 0; i < user->file->num_kernels; i++)
    is_there |= heddle_channel_has_end(&user->file->kernels[i], channel, access);
  return !is_there;
}

// All that have to do with a kernel. False: some have not come.
static bool gather(struct heddle_channel_group *group, struct heddle_channel_user *user) {
  if (!add_member(group, user))
    return false;
  for (unsigned i = 0; i < group->count; i++) {
    const struct heddle_kernel *kernel = group->members[i]->kernel;
    for (uint32_t k = heddle_first_channel(kernel); k < kernel->num_arguments; k++)
      if (!add_other(group, group->members[i], &kernel->arguments[k]))
        return false;
  }
  return true;
}

// Whether another member from `first` on writes what this one reads.
static bool is_fed_later(const struct heddle_channel_group *group, unsigned first, unsigned at) {
  for (unsigned i = first; i < group->count; i++)
    if (i != at && heddle_channel_feeds(group->members[i]->kernel, group->members[at]->kernel))
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

// A group one of which cannot begin, as what it waited for has failed: the others would wait for it for ever.
static bool has_failed(const struct heddle_channel_group *group) {
  bool has = false;
  for (unsigned i = 0; i < group->count; i++)
    has |= heddle_schedule_fails(group->members[i]->command);
  return has;
}

static void begin(struct heddle_channel_group *group) {
  const bool fails = has_failed(group);
  struct heddle_command **commands = calloc(group->count, sizeof *commands);
  group->begun = true;
  take_out_of_waiting(group);
  for (unsigned i = 0; commands && i < group->count; i++)
    commands[i] = group->members[i]->command;
  const bool is_chain = commands && !fails && heddle_chain_join(commands, group->count);
  free(commands);
  if (is_chain)
    return;
  sort_sequences(group);
  for (unsigned i = 0; i < group->count; i++) {
    group->members[i]->command->fails = fails;
    heddle_schedule_let_go(group->members[i]->command);
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

// What has come last makes a group whole, if anything does.
void heddle_channels_look(struct heddle_channel_user *come) {
  struct heddle_channel_group *group = calloc(1, sizeof *group);
  if (!group)
    return;
  if (!gather(group, come)) {
    free_group(group);
    return;
  }
  order(group);
  group->users = group->count;
  for (unsigned i = 0; i < group->count; i++) {
    heddle_channel_take_out(group->members[i]);
    group->members[i]->group = group;
  }
  group->next = waiting;
  waiting = group;
  heddle_channels_changed(come);
}

// ---- groups that wait for each other

void heddle_channels_add_group(struct heddle_dependencies *dependencies, const struct heddle_channel_user *user) {
  const struct heddle_channel_group *group = user->group;
  for (unsigned i = 0; group && !group->begun && i < group->count; i++)
    heddle_dependencies_add(dependencies, group->members[i]->command);
}

// Whether a member depends on another one by way of what is no member, so that they cannot begin together.
static bool waits_for_itself(const struct heddle_channel_group *group) {
  struct heddle_dependencies all = {0};
  bool is = false;
  for (unsigned i = 0; i < group->count; i++)
    group->members[i]->command->wanted = true;  // so none is added
  for (unsigned i = 0; i < group->count; i++)
    heddle_dependencies_add_of(&all, group->members[i]->command);
  for (unsigned i = 0; i < group->count; i++)
    group->members[i]->command->wanted = false;
  for (size_t i = 0; i < all.count; i++) {  // grows while it runs
    heddle_dependencies_add_of(&all, all.commands[i]);
    if (all.commands[i]->channel_user)
      heddle_channels_add_group(&all, all.commands[i]->channel_user);
  }
  for (unsigned i = 0; i < group->count; i++)
    is |= group->members[i]->command->wanted;
  heddle_dependencies_free(&all);
  return is;
}

bool heddle_channels_any_wait(void) {
  return waiting;
}

static bool is_wanted(const struct heddle_channel_group *group) {
  bool is = false;
  for (unsigned i = 0; i < group->count; i++)
    is |= group->members[i]->is_wanted;
  return is;
}

bool heddle_channels_part(void (*want)(struct heddle_channel_user *user)) {
  struct heddle_channel_group *group = waiting;
  while (group && !(is_wanted(group) && waits_for_itself(group)))
    group = group->next;
  if (!group)
    return false;
  take_out_of_waiting(group);
  for (unsigned i = 0; i < group->count; i++) {
    group->members[i]->group = NULL;
    heddle_channel_hold(group->members[i]->command);
    want(group->members[i]);
  }
  free_group(group);
  return true;
}

void heddle_channels_forget(struct heddle_channel_user *user) {
  if (!user->command)
    return;
  pthread_mutex_lock(&heddle_lock);
  struct heddle_channel_group *group = user->group;
  heddle_channel_take_out(user);
  user->group = NULL;
  const bool last = group && --group->users == 0;
  if (last)
    take_out_of_waiting(group);
  pthread_mutex_unlock(&heddle_lock);
  if (last)
    free_group(group);
}
