// SPDX-License-Identifier: Apache-2.0
// Programs that wait: which kernels with channels they let go alone, and what they are told of those that are held
// (channels.h).
#include "host/cl/channel_waits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host/cl/context.h"
#include "host/cl/kernel.h"
#include "host/cl/log.h"
#include "host/cl/schedule.h"
#include "host/environment.h"

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
      return;  // what it waits for is heddle_channels_held longer than it need be
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
    const bool reads = heddle_channel_is(kernel, i) && kernel->arguments[i].access == HEDDLE_READ_ONLY;
    if (reads && user->object->arguments[i].memory->fed == 0 &&
        !heddle_channel_has_end(kernel, &kernel->arguments[i], HEDDLE_WRITE_ONLY))
      return false;
  }
  return true;
}

// What a kernel writes can be read from now on; what it reads is for it.
static void feed(const struct heddle_channel_user *user, bool writes) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = 0; i < kernel->num_arguments; i++) {
    cl_mem pipe = heddle_channel_is(kernel, i) ? user->object->arguments[i].memory : NULL;
    if (pipe && writes && kernel->arguments[i].access == HEDDLE_WRITE_ONLY)
      pipe->fed++;
    else if (pipe && !writes && kernel->arguments[i].access == HEDDLE_READ_ONLY && pipe->fed != 0)
      pipe->fed--;
  }
}

// Lets go those that are wanted and fed.
static void let_wanted_go(void) {
  for (struct heddle_channel_user *user = heddle_channels_held, *next; user; user = next) {
    next = user->next;
    if (!user->is_wanted || !is_fed(user))
      continue;
    heddle_channel_take_out(user);
    feed(user, false);
    heddle_channel_let_go(user->command);
    pthread_cond_broadcast(&heddle_changed);
  }
}

static bool has_failed(const struct heddle_command *command) {
  bool failed = command->fails;
  for (cl_uint i = 0; i < command->num_waits; i++)
    failed |= command->waits[i]->status < 0;
  return failed;
}

// In a group as much is written as is read.
void heddle_channels_begun(struct heddle_channel_user *user) {
  if (user->group || has_failed(user->command))
    return;
  feed(user, true);
  let_wanted_go();
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

static void release(struct events *events) {
  size_t at = 0;
  for (; at < events->count; at++)  // grows while it runs
    want_event(events, events->items[at]);
  for (struct heddle_channel_user *user = heddle_channels_held; user; user = user->next)
    if (user->command->wanted)
      become_wanted(user);
  for (at = 0; at < events->count; at++)
    forget_wanted(events->items[at]->queue);
  free(events->items);
  let_wanted_go();
}

void heddle_channels_release_for(cl_event event) {
  struct events events = {0};
  if (!heddle_channels_held)
    return;
  add_event(&events, event);
  release(&events);
}

void heddle_channels_release_queue(cl_command_queue queue) {
  struct events events = {0};
  for (struct heddle_command *at = heddle_channels_held ? queue->first : NULL; at; at = at->next)
    add_event(&events, at->event);
  release(&events);
}

void heddle_channels_release_all(void) {
  for (struct heddle_channel_user *user = heddle_channels_held; user; user = user->next)
    become_wanted(user);
  let_wanted_go();
}

// The channel that a kernel waits for somebody to write; NULL: none.
static const char *unfed_channel(const struct heddle_channel_user *user) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = 0; i < kernel->num_arguments; i++)
    if (heddle_channel_is(kernel, i) && kernel->arguments[i].access == HEDDLE_READ_ONLY &&
        user->object->arguments[i].memory->fed == 0)
      return kernel->arguments[i].name;
  return NULL;
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

// The lock is not held meanwhile.
static void tell(const struct heddle_channel_user *user, const char *channel, bool is_last) {
  char kernel[128], name[128];
  cl_context context = user->command->event->context;
  snprintf(kernel, sizeof kernel, "%s", user->kernel->name);
  snprintf(name, sizeof name, "%s", channel);
  heddle_object_retain(context);
  pthread_mutex_unlock(&heddle_lock);
  heddle_context_report_kernel(context, kernel,
                               is_last ? "no kernel that writes its channel '%s' was enqueued for so long "
                                         "(HEDDLE_CHANNEL_SECONDS) that it is not run"
                                       : "it is waited for, and itself waits for a kernel that writes its channel "
                                         "'%s', which has not been enqueued",
                               name);
  heddle_context_release(context);
  pthread_mutex_lock(&heddle_lock);
}

// The first kernel that a program waits for and that there is something to do about: to tell of it, or to give it up.
// False: there is none.
static bool care_for_one(time_t now) {
  for (struct heddle_channel_user *user = heddle_channels_held; user; user = user->next) {
    const char *channel = user->is_wanted ? unfed_channel(user) : NULL;
    if (!channel)
      continue;
    const bool is_late = now - user->wanted_since >= patience();
    if (user->is_told && !is_late)
      continue;
    if (is_late) {
      heddle_channel_take_out(user);
      user->command->fails = true;
    }
    const bool tells = is_late || !user->is_told;
    user->is_told = true;
    struct heddle_command *command = user->command;
    if (tells)
      tell(user, channel, is_late);
    if (is_late)
      heddle_channel_let_go(command);
    pthread_cond_broadcast(&heddle_changed);
    return true;
  }
  return false;
}

void heddle_channels_wait(void) {
  enum { USUAL_SECONDS = 2 };
  struct timespec until;
  if (!heddle_channels_held) {
    pthread_cond_wait(&heddle_changed, &heddle_lock);
    return;
  }
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += patience() < USUAL_SECONDS ? patience() : USUAL_SECONDS;
  if (pthread_cond_timedwait(&heddle_changed, &heddle_lock, &until) != ETIMEDOUT)
    return;
  while (care_for_one(seconds_now()))
    ;
}
