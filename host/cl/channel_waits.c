// SPDX-License-Identifier: Apache-2.0
// Programs that wait: which kernels with channels they let go alone, and what they are told of those that are held
// (channels.h).
#include "host/cl/channel_waits.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "host/cl/channel_feeders.h"
#include "host/cl/channels.h"
#include "host/cl/context.h"
#include "host/cl/dependencies.h"
#include "host/cl/kernel.h"
#include "host/cl/log.h"
#include "host/cl/schedule.h"
#include "host/environment.h"

// Whether a held kernel has an end of a channel.
static bool has_come(const struct heddle_channel_user *user, const struct heddle_argument *channel, uint32_t access) {
  bool has = heddle_channel_has_end(user->kernel, channel, access);
  for (const struct heddle_channel_user *other = heddle_channels_held; other && !has; other = other->next)
    has = other->file == user->file && heddle_channel_has_end(other->kernel, channel, access);
  return has;
}

// What a held kernel that a program waits for waits for itself: a channel whose other end has not come. *reads: it
// reads that. NULL: nothing is missing.
static const char *missing_end(const struct heddle_channel_user *user, bool *reads) {
  const struct heddle_kernel *kernel = user->kernel;
  const char *unfed = heddle_channel_unfed(user);
  *reads = unfed;
  if (unfed || !heddle_channel_never_alone(user))
    return unfed;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++) {
    const struct heddle_argument *channel = &kernel->arguments[i];
    *reads = channel->access == HEDDLE_READ_ONLY;
    if (!has_come(user, channel, *reads ? HEDDLE_WRITE_ONLY : HEDDLE_READ_ONLY))
      return channel->name;
  }
  *reads = true;
  return kernel->arguments[heddle_first_channel(kernel)].name;  // others of its chain are missing
}

// What a kernel writes can be read from now on; what it reads is for it.
static void feed(const struct heddle_channel_user *user, bool writes) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++) {
    cl_mem pipe = heddle_kernel_memory(user->object, i, user->build);
    if (writes && kernel->arguments[i].access == HEDDLE_WRITE_ONLY)
      pipe->fed++;
    if (writes || kernel->arguments[i].access != HEDDLE_READ_ONLY)
      continue;
    if (pipe->fed != 0)
      pipe->fed--;
    else
      pipe->has_packets = false;
  }
}

// Lets go those that are wanted and fed.
static void let_wanted_go(void) {
  for (struct heddle_channel_user *user = heddle_channels_held, *next; user; user = next) {
    next = user->next;
    if (!user->is_wanted || heddle_channel_unfed(user) || heddle_channel_never_alone(user))
      continue;
    heddle_channel_take_out(user);
    feed(user, false);
    heddle_channel_claim(user, true);
    heddle_schedule_number(user->command);
    heddle_schedule_let_go(user->command);
    pthread_cond_broadcast(&heddle_changed);
  }
}

static time_t seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

static void become_wanted(struct heddle_channel_user *user) {
  if (!user->is_wanted)
    user->wanted_since = seconds_now();
  user->is_wanted = true;
}

static bool needs_feeders(const struct heddle_channel_user *reader) {
  return reader->is_wanted && !heddle_channel_never_alone(reader) && heddle_channel_unfed(reader);
}

static void want_feeder(struct heddle_channel_user *feeder, void *wanted) {
  become_wanted(feeder);
  heddle_dependencies_add(wanted, feeder->command);
}

// What is wanted, and all that it depends on.
static void want(struct heddle_dependencies *wanted) {
  for (size_t i = 0; i < wanted->count; i++) {  // grows while it runs
    struct heddle_command *command = wanted->commands[i];
    heddle_dependencies_add_of(wanted, command);
    if (command->channel_user)
      heddle_channels_add_group(wanted, command->channel_user);
    if (command->channel_user && (command->channel_user->is_held || command->channel_user->group))
      become_wanted(command->channel_user);
  }
  heddle_dependencies_free(wanted);
  // Of groups that wait for each other it is as if the program waited for each of their kernels.
  heddle_channels_part(become_wanted);
}

static void release(struct heddle_dependencies *wanted) {
  do {
    if (wanted->count != 0)
      want(wanted);
    heddle_channel_feeders(needs_feeders, want_feeder, wanted);
  } while (wanted->count != 0);
  let_wanted_go();
}

// In a group as much is written as is read.
void heddle_channels_begun(struct heddle_channel_user *user) {
  heddle_channel_comes(user, -1);
  if (user->group || heddle_schedule_fails(user->command))
    return;
  struct heddle_dependencies wanted = {0};
  feed(user, true);
  release(&wanted);  // the next round of what was wanted, too
}

void heddle_channels_replayed(const struct heddle_channel_user *user) {
  feed(user, true);
  feed(user, false);
  let_wanted_go();
}

void heddle_channels_left(cl_mem channel) {
  struct heddle_dependencies wanted = {0};
  // Others are for those that may begin already, or have writers that nobody has read of.
  channel->has_packets = channel->fed == 0 && channel->claims <= 1;
  if (channel->has_packets)
    release(&wanted);
}

void heddle_channels_release_come(struct heddle_channel_user *come) {
  struct heddle_dependencies wanted = {0};
  const bool is_wanted = heddle_channels_is_wanted(come);
  if (is_wanted)
    heddle_dependencies_add(&wanted, come->command);
  if (is_wanted || come->is_held)
    release(&wanted);
}

void heddle_channels_release_queue(cl_command_queue queue) {
  struct heddle_dependencies wanted = {0};
  const bool any = heddle_channels_held || heddle_channels_any_wait();
  for (struct heddle_command *at = any ? queue->first : NULL; at; at = at->next)
    heddle_dependencies_add(&wanted, at);
  release(&wanted);
}

void heddle_channels_release_all(void) {
  for (struct heddle_channel_user *user = heddle_channels_held; user; user = user->next)
    become_wanted(user);
  let_wanted_go();
}

// How long a program that waits gives the missing kernel to come.
static time_t patience(void) {
  static const struct heddle_variable variable = {.name = "HEDDLE_CHANNEL_SECONDS",
                                                  .otherwise = 60,
                                                  .least = 1,
                                                  .most = 1000000,
                                                  .what = "a number of seconds from 1 to 1000000"};
  static bool is_told;
  struct heddle_error error = {{0}};
  uint64_t seconds;
  if (heddle_environment_number(&variable, &seconds, &error) != 0 && !is_told) {
    is_told = true;
    heddle_log(HEDDLE_LOG_ERROR, "%s", error.text);
  }
  return (time_t)seconds;
}

enum told { MISSING, GIVEN_UP, STUCK };

// The lock is not held meanwhile.
static void tell(const struct heddle_channel_user *user, const char *channel, bool writes, enum told what) {
  static const char *const texts[] = {
      [MISSING] =
          "it is waited for, and itself waits for a kernel that %s its channel '%s', which has not been enqueued",
      [GIVEN_UP] =
          "no kernel that %s its channel '%s' was enqueued for so long (HEDDLE_CHANNEL_SECONDS) that it is not "
          "run",
      [STUCK] =
          "the kernel that %s its channel '%s' could not begin for so long (HEDDLE_CHANNEL_SECONDS), as what is in "
          "front of it waits, too, that it is not run"};
  char kernel[128], name[128];
  cl_context context = user->command->event->context;
  snprintf(kernel, sizeof kernel, "%s", user->kernel->name);
  snprintf(name, sizeof name, "%s", channel);
  heddle_object_retain(context);
  pthread_mutex_unlock(&heddle_lock);
  heddle_context_report_kernel(context, kernel, texts[what], writes ? "reads" : "writes", name);
  heddle_context_release(context);
  pthread_mutex_lock(&heddle_lock);
}

// Whether all that it reads has been written, or is by kernels that have been enqueued.
static bool is_coming(const struct heddle_channel_user *user) {
  const struct heddle_kernel *kernel = user->kernel;
  bool comes = true;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++)
    comes &= !heddle_channel_is_unfed(user, i) || heddle_kernel_memory(user->object, i, user->build)->coming != 0;
  return comes && heddle_channel_unfed(user);
}

// Since when nothing has been done that its writer may wait for: what takes long in front of that one is no reason to
// give it up. There is an end to that, too, as others may keep the device busy for ever.
static time_t idle_since(const struct heddle_channel_user *user, time_t now, time_t most) {
  enum { BUSY_TIMES = 60 };
  const cl_device_id device = user->command->event->queue->device->root;
  if (now - user->wanted_since >= BUSY_TIMES * most)
    return user->wanted_since;
  return device->busy ? now : device->idle_since > user->wanted_since ? device->idle_since : user->wanted_since;
}

// The first kernel that a program waits for and that there is something to do about: to tell of it, or to give it up.
// False: there is none. `most`: seconds that it may wait; `usual`: until it is told of.
static bool care_for_one(time_t now, time_t usual, time_t most) {
  for (struct heddle_channel_user *user = heddle_channels_held; user; user = user->next) {
    bool reads;
    const char *channel = user->is_wanted ? missing_end(user, &reads) : NULL;
    if (!channel)
      continue;
    const bool comes = reads && is_coming(user);
    const time_t since = comes ? idle_since(user, now, most) : user->wanted_since;
    const bool is_late = now - since >= most;
    if ((comes || user->is_told || now - since < usual) && !is_late)
      continue;
    if (is_late) {
      heddle_channel_take_out(user);
      user->command->fails = true;
    }
    user->is_told = true;
    struct heddle_command *command = user->command;
    tell(user, channel, !reads, comes ? STUCK : is_late ? GIVEN_UP : MISSING);
    if (is_late)
      heddle_schedule_let_go(command);
    pthread_cond_broadcast(&heddle_changed);
    return true;
  }
  return false;
}

// Seconds until a program is told, of the most that it waits.
static time_t usual_of(time_t most) {
  enum { USUAL_SECONDS = 2 };
  return most < USUAL_SECONDS ? most : USUAL_SECONDS;
}

// What a program waits for since long: it is told of kernels, and they are given up. Once a second is enough.
static void care(void) {
  static time_t last;
  const time_t now = seconds_now(), most = patience(), usual = usual_of(most);
  if (now == last)
    return;
  last = now;
  while (care_for_one(now, usual, most))
    ;
}

void heddle_channels_wait(void) {
  struct timespec until;
  if (!heddle_channels_held) {
    pthread_cond_wait(&heddle_changed, &heddle_lock);
    return;
  }
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += usual_of(patience());
  pthread_cond_timedwait(&heddle_changed, &heddle_lock, &until);
  care();
}

void heddle_channels_idle(cl_device_id device) {
  if (device->busy)
    device->idle_since = seconds_now();
  device->busy = false;
  heddle_channels_wait();
}

void heddle_channels_release_for(cl_uint count, const cl_event *events) {
  struct heddle_dependencies wanted = {0};
  if (!heddle_channels_held && !heddle_channels_any_wait())
    return;
  for (cl_uint i = 0; i < count; i++)
    heddle_dependencies_add(&wanted, events[i]->waiting);
  release(&wanted);
  care();  // a program may ask again and again, and never wait
}
