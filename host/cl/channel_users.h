// SPDX-License-Identifier: Apache-2.0
// Kernels with channels (channels.h), and the list of those that are held and have no group yet.
//
// Threads: heddle_lock is held in every call.
#ifndef HEDDLE_CL_CHANNEL_USERS_H
#define HEDDLE_CL_CHANNEL_USERS_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "host/device/kernel_file.h"

struct heddle_command;
struct heddle_channel_group;

// Of a command that runs a kernel with channels. It belongs to the command.
struct heddle_channel_user {
  struct heddle_command *command;
  const struct heddle_kernel *kernel;
  const struct heddle_kernel_file *file;  // that has the kernels at the other ends, which are on the same device
  cl_kernel object;                       // that has the pipes
  int build;                              // index of its program's build
  // Used by channels.c and channel_waits.c.
  bool is_held, is_wanted, is_told;
  bool has_claimed;                             // what it reads is counted (heddle_channel_claim)
  time_t wanted_since;                          // seconds of CLOCK_MONOTONIC
  struct heddle_channel_user *next, *previous;  // that are held and have no group yet
  struct heddle_channel_group *group;           // NULL: none
};

// The oldest first. A command is held from before it is added to the schedule on.
extern struct heddle_channel_user *heddle_channels_held;
extern uint64_t heddle_channels_came;  // grows with each that is enqueued, and where groups are parted
void heddle_channel_hold(struct heddle_command *command);
void heddle_channel_take_out(struct heddle_channel_user *user);

// Whether a kernel has the end of a channel with this access.
bool heddle_channel_has_end(const struct heddle_kernel *kernel, const struct heddle_argument *channel, uint32_t access);

// Whether an argument of a held kernel is a channel that it reads, and that nobody has written or does who begins
// before it.
bool heddle_channel_is_unfed(const struct heddle_channel_user *user, uint32_t argument);

// The name of such a channel; NULL: there is none.
const char *heddle_channel_unfed(const struct heddle_channel_user *user);

// Whether its device has no programmable unit, so that it runs with those at the other ends alone.
bool heddle_channel_never_alone(const struct heddle_channel_user *user);

// Adds to the number of kernels that write its channels and have not begun.
void heddle_channel_comes(const struct heddle_channel_user *user, int by);

// Counts it among those that may begin and read its channels, until it goes.
void heddle_channel_claim(struct heddle_channel_user *user, bool claims);

// Whether a kernel writes a channel that the other one reads.
bool heddle_channel_feeds(const struct heddle_kernel *writer, const struct heddle_kernel *reader);

#endif
