// SPDX-License-Identifier: Apache-2.0
// Kernels with channels, and the list of those that are held (channel_users.h).
#include "host/cl/channel_users.h"

#include <string.h>

#include "host/cl/kernel.h"
#include "host/cl/queue.h"

struct heddle_channel_user *heddle_channels_held;
uint64_t heddle_channels_came;
static struct heddle_channel_user *newest;  // the last of them

bool heddle_channel_has_end(const struct heddle_kernel *kernel, const struct heddle_argument *channel,
                            uint32_t access) {
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++)
    if (kernel->arguments[i].access == access && strcmp(kernel->arguments[i].name, channel->name) == 0)
      return true;
  return false;
}

bool heddle_channel_is_unfed(const struct heddle_channel_user *user, uint32_t argument) {
  const struct heddle_argument *channel = &user->kernel->arguments[argument];
  const struct _cl_mem *pipe = heddle_kernel_memory(user->object, argument, user->build);
  return channel->access == HEDDLE_READ_ONLY && pipe->fed == 0 && !pipe->has_packets &&
         !heddle_channel_has_end(user->kernel, channel, HEDDLE_WRITE_ONLY);
}

const char *heddle_channel_unfed(const struct heddle_channel_user *user) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++)
    if (heddle_channel_is_unfed(user, i))
      return kernel->arguments[i].name;
  return NULL;
}

bool heddle_channel_never_alone(const struct heddle_channel_user *user) {
  return user->command->member && user->kernel->kind != 0;
}

void heddle_channel_comes(const struct heddle_channel_user *user, int by) {
  const struct heddle_kernel *kernel = user->kernel;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++)
    if (kernel->arguments[i].access == HEDDLE_WRITE_ONLY)
      heddle_kernel_memory(user->object, i, user->build)->coming += (uint32_t)by;
}

void heddle_channel_claim(struct heddle_channel_user *user, bool claims) {
  const struct heddle_kernel *kernel = user->kernel;
  if (user->has_claimed == claims)
    return;
  user->has_claimed = claims;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++) {
    cl_mem pipe = heddle_kernel_memory(user->object, i, user->build);
    if (kernel->arguments[i].access == HEDDLE_READ_ONLY)
      pipe->claims += claims ? 1 : -1;
  }
}

bool heddle_channel_feeds(const struct heddle_kernel *writer, const struct heddle_kernel *reader) {
  for (uint32_t i = heddle_first_channel(reader); i < reader->num_arguments; i++)
    if (reader->arguments[i].access == HEDDLE_READ_ONLY &&
        heddle_channel_has_end(writer, &reader->arguments[i], HEDDLE_WRITE_ONLY))
      return true;
  return false;
}

void heddle_channel_hold(struct heddle_command *command) {
  struct heddle_channel_user *user = command->channel_user, *before = newest;
  while (before && before->command->sequence > command->sequence)
    before = before->previous;
  struct heddle_channel_user **next = before ? &before->next : &heddle_channels_held;
  user->previous = before;
  user->next = *next;
  if (user->next)
    user->next->previous = user;
  else
    newest = user;
  *next = user;
  user->is_held = command->held = true;
}

void heddle_channel_take_out(struct heddle_channel_user *user) {
  if (!user->is_held)
    return;
  if (user->previous)
    user->previous->next = user->next;
  else
    heddle_channels_held = user->next;
  if (user->next)
    user->next->previous = user->previous;
  else
    newest = user->previous;
  user->next = user->previous = NULL;
  user->is_held = false;
}
