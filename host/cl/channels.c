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
  uint64_t clear;                     // heddle_channels_came when it was found not to wait for itself; 0: it was not
  bool is_crossed;                    // it waits for itself
  struct heddle_channel_group *next;  // that has not begun
};

static struct heddle_channel_group *waiting, **waiting_end = &waiting;  // guarded by heddle_lock, the oldest first

static void take_out_of_waiting(const struct heddle_channel_group *group) {
  struct heddle_channel_group **at = &waiting;
  while (*at && *at != group)
    at = &(*at)->next;
  if (!*at)
    return;
  *at = group->next;
  if (!*at)
    waiting_end = at;
}

static void free_group(struct heddle_channel_group *group) {
  free(group->members);
  free(group);
}

static uint32_t other_end(const struct heddle_argument *channel) {
  return channel->access == HEDDLE_READ_ONLY ? HEDDLE_WRITE_ONLY : HEDDLE_READ_ONLY;
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
    if (other->file == user->file && heddle_channel_has_end(other->kernel, channel, access))
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

// Whether a command waits for another one: by its event, or as it is behind it in a queue.
static bool waits_for(const struct heddle_command *command, const struct heddle_command *other) {
  bool waits = command->event->queue == other->event->queue && heddle_is_in_order(other->event->queue) &&
               command->sequence > other->sequence;
  for (cl_uint i = 0; i < command->num_waits; i++)
    waits |= command->waits[i] == other->event;
  return waits;
}

// Whether another member from `first` on writes what this one reads, or, with `all`, has to begin before it.
static bool comes_later(const struct heddle_channel_group *group, unsigned first, unsigned at, bool all) {
  const struct heddle_channel_user *one = group->members[at];
  for (unsigned i = first; i < group->count; i++) {
    const struct heddle_channel_user *other = group->members[i];
    if (i != at &&
        (heddle_channel_feeds(other->kernel, one->kernel) || (all && waits_for(one->command, other->command))))
      return true;
  }
  return false;
}

// The first from `first` on that nobody comes before; the number of members if there is none.
static unsigned next_of(const struct heddle_channel_group *group, unsigned first, bool all) {
  unsigned at = first;
  while (at < group->count && comes_later(group, first, at, all))
    at++;
  return at;
}

// Writers first, and what others wait for; of those that go round in a circle the first. False: a writer waits for its
// reader, so that they cannot be of one round.
static bool order(struct heddle_channel_group *group) {
  bool fits = true;
  for (unsigned first = 0; first < group->count; first++) {
    unsigned at = next_of(group, first, true);
    if (at == group->count) {
      at = next_of(group, first, false);
      fits = fits && at == group->count;
    }
    if (at == group->count)
      at = first;
    struct heddle_channel_user *next = group->members[at];
    memmove(&group->members[first + 1], &group->members[first], (at - first) * sizeof next);
    group->members[first] = next;
  }
  return fits;
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
  // Of those that may begin, the one with the lowest number does: so writers run first, and no kernel of another group
  // comes between.
  for (unsigned i = 0; i < group->count; i++) {
    heddle_schedule_number(group->members[i]->command);
    heddle_channel_claim(group->members[i], true);
  }
  for (unsigned i = 0; commands && i < group->count; i++)
    commands[i] = group->members[i]->command;
  const bool is_chain = commands && !fails && heddle_chain_join(commands, group->count);
  free(commands);
  if (is_chain)
    return;
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
  heddle_channels_came++;
  heddle_channel_comes(come, 1);
  if (!group)
    return;
  if (!gather(group, come) || (!order(group) && !heddle_channel_never_alone(come))) {
    free_group(group);
    return;
  }
  group->users = group->count;
  for (unsigned i = 0; i < group->count; i++) {
    heddle_channel_take_out(group->members[i]);
    group->members[i]->group = group;
  }
  *waiting_end = group;
  waiting_end = &group->next;
  heddle_channels_changed(come);
}

// ---- groups that wait for each other

void heddle_channels_add_group(struct heddle_dependencies *dependencies, const struct heddle_channel_user *user) {
  const struct heddle_channel_group *group = user->group;
  for (unsigned i = 0; group && !group->begun && i < group->count; i++)
    heddle_dependencies_add(dependencies, group->members[i]->command);
}

// What a group depends on is known when it is made, but for groups that are made later.
static bool is_clear(const struct heddle_channel_group *group) {
  return group->clear == heddle_channels_came;
}

// Whether it is held by itself for what it reads.
static bool waits_for_packets(const struct heddle_channel_user *user) {
  bool reads = false;
  for (uint32_t i = heddle_first_channel(user->kernel); i < user->kernel->num_arguments; i++)
    reads |= user->kernel->arguments[i].access == HEDDLE_READ_ONLY;
  return reads && user->is_held;
}

// Whether a member depends on another one by way of what is no member, so that they cannot begin together; or on a
// kernel that waits for packets, whose writer may be behind a member. One that never runs alone gains nothing then.
static bool waits_for_itself(const struct heddle_channel_group *group) {
  struct heddle_dependencies all = {0};
  bool is = false;
  for (unsigned i = 0; i < group->count; i++)
    group->members[i]->command->wanted = true;  // so none is added
  for (unsigned i = 0; i < group->count; i++)
    heddle_dependencies_add_of(&all, group->members[i]->command);
  for (unsigned i = 0; i < group->count; i++)
    group->members[i]->command->wanted = group->members[i]->command->looked = false;
  for (size_t i = 0; i < all.count; i++) {  // grows while it runs
    const struct heddle_channel_user *user = all.commands[i]->channel_user;
    is |= user && waits_for_packets(user) && !heddle_channel_never_alone(group->members[0]);
    if (user && user->group && is_clear(user->group))
      continue;  // a way from there back here would lead through it again
    heddle_dependencies_add_of(&all, all.commands[i]);
    if (user)
      heddle_channels_add_group(&all, user);
  }
  for (unsigned i = 0; i < group->count; i++)
    is |= group->members[i]->command->wanted;
  heddle_dependencies_free(&all);
  return is;
}

static bool is_wanted(const struct heddle_channel_group *group) {
  bool is = false;
  for (unsigned i = 0; i < group->count; i++)
    is |= group->members[i]->is_wanted;
  return is;
}

bool heddle_channels_any_wait(void) {
  return waiting;
}

bool heddle_channels_is_wanted(const struct heddle_channel_user *user) {
  return user->group && !user->group->begun && is_wanted(user->group);
}

static void part(struct heddle_channel_group *group, void (*want)(struct heddle_channel_user *user)) {
  take_out_of_waiting(group);
  for (unsigned i = 0; i < group->count; i++) {
    group->members[i]->group = NULL;
    heddle_channel_hold(group->members[i]->command);
    want(group->members[i]);
  }
  free_group(group);
}

// Parts those that are found. A kernel of a group that was parted waits for the others of it still: so all that wait
// for each other are found before, and others depend on kernels that run alone then. False: there was none.
static bool part_some(void (*want)(struct heddle_channel_user *user)) {
  bool any = false;
  for (struct heddle_channel_group *group = waiting; group; group = group->next) {
    if (is_clear(group) || !is_wanted(group))
      continue;
    group->is_crossed = waits_for_itself(group);
    if (!group->is_crossed)
      group->clear = heddle_channels_came;
  }
  for (struct heddle_channel_group *group = waiting, *next; group; group = next) {
    next = group->next;
    if (!group->is_crossed)
      continue;
    part(group, want);
    any = true;
  }
  return any;
}

void heddle_channels_part(void (*want)(struct heddle_channel_user *user)) {
  while (part_some(want))
    heddle_channels_came++;  // what was clear is looked at again
}

void heddle_channels_forget(struct heddle_channel_user *user) {
  if (!user->command)
    return;
  pthread_mutex_lock(&heddle_lock);
  struct heddle_channel_group *group = user->group;
  heddle_channel_take_out(user);
  heddle_channel_claim(user, false);
  user->group = NULL;
  const bool last = group && --group->users == 0;
  if (last)
    take_out_of_waiting(group);
  pthread_mutex_unlock(&heddle_lock);
  if (last)
    free_group(group);
}
