// SPDX-License-Identifier: Apache-2.0
// Kernels with channels, and the list of those that are held (channel_users.h).
#include "host/cl/channel_users.h"

#include <string.h>

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

bool heddle_channel_feeds(const struct heddle_kernel *writer, const struct heddle_kernel *reader) {
  for (uint32_t i = heddle_first_channel(reader); i < reader->num_arguments; i++)
    if (reader->arguments[i].access == HEDDLE_READ_ONLY &&
        heddle_channel_has_end(writer, &reader->arguments[i], HEDDLE_WRITE_ONLY))
      return true;
  return false;
}

void heddle_channel_hold(struct heddle_command *command) {
  struct heddle_channel_user *user = command->channel_user;
  user->previous = newest;
  if (newest)
    newest->next = user;
  else
    heddle_channels_held = user;
  newest = user;
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
