// SPDX-License-Identifier: Apache-2.0
// Which held kernels a wanted reader needs (channel_feeders.h).
#include "host/cl/channel_feeders.h"

#include <stdlib.h>

// Of the kernels of an executable.
struct feeding {
  const struct heddle_kernel_file *file;
  struct feeding_kernel {
    struct heddle_channel_user *oldest;         // that is held and in no group; NULL: none
    enum { UNKNOWN, CANNOT, CAN, DONE } state;  // whether what it reads has been or can be written; DONE: and is wanted
  } *kernels;
  void (*want)(struct heddle_channel_user *feeder, void *data);
  void *data;
};

static bool can_run(struct feeding *feeding, uint32_t number);

// A kernel that can write what another one reads: its number, or that of kernels if there is none.
static uint32_t feeder_of(struct feeding *feeding, uint32_t reader, const struct heddle_argument *channel) {
  const struct heddle_kernel_file *file = feeding->file;
  uint32_t i = 0;
  while (i < file->num_kernels &&
         (i == reader || !feeding->kernels[i].oldest ||
          !heddle_channel_has_end(&file->kernels[i], channel, HEDDLE_WRITE_ONLY) || !can_run(feeding, i)))
    i++;
  return i;
}

static bool can_run(struct feeding *feeding, uint32_t number) {
  struct feeding_kernel *of = &feeding->kernels[number];
  if (of->state != UNKNOWN)
    return of->state != CANNOT;
  of->state = CANNOT;  // as it is for those that go round in a circle
  bool can = true;
  for (uint32_t i = heddle_first_channel(of->oldest->kernel); i < of->oldest->kernel->num_arguments && can; i++)
    can = !heddle_channel_is_unfed(of->oldest, i) ||
          feeder_of(feeding, number, &of->oldest->kernel->arguments[i]) < feeding->file->num_kernels;
  of->state = can ? CAN : CANNOT;
  return can;
}

static void want_feeders(struct feeding *feeding, uint32_t number) {
  struct feeding_kernel *of = &feeding->kernels[number];
  const struct heddle_kernel *kernel = of->oldest->kernel;
  if (of->state == DONE)
    return;
  of->state = DONE;
  for (uint32_t i = heddle_first_channel(kernel); i < kernel->num_arguments; i++) {
    if (!heddle_channel_is_unfed(of->oldest, i))
      continue;
    const uint32_t feeder = feeder_of(feeding, number, &kernel->arguments[i]);
    if (!feeding->kernels[feeder].oldest->is_wanted)
      feeding->want(feeding->kernels[feeder].oldest, feeding->data);
    want_feeders(feeding, feeder);
  }
}

static void look_at(struct feeding *feeding, bool (*of)(const struct heddle_channel_user *reader)) {
  const uint32_t count = feeding->file->num_kernels;
  feeding->kernels = calloc(count, sizeof *feeding->kernels);
  if (!feeding->kernels)
    return;
  for (struct heddle_channel_user *user = heddle_channels_held; user; user = user->next) {
    struct feeding_kernel *kernel =
        &feeding->kernels[user->file == feeding->file ? user->kernel - user->file->kernels : 0];
    if (user->file == feeding->file && !kernel->oldest)
      kernel->oldest = user;
  }
  for (uint32_t i = 0; i < count; i++)
    if (feeding->kernels[i].oldest && of(feeding->kernels[i].oldest) && can_run(feeding, i))
      want_feeders(feeding, i);
  free(feeding->kernels);
}

void heddle_channel_feeders(bool (*of)(const struct heddle_channel_user *reader),
                            void (*want)(struct heddle_channel_user *feeder, void *data), void *data) {
  struct feeding feeding = {.want = want, .data = data};
  for (struct heddle_channel_user *user = heddle_channels_held; user; user = user->next) {
    if (user->file == feeding.file || !of(user))
      continue;
    feeding.file = user->file;
    look_at(&feeding, of);
  }
}
