// SPDX-License-Identifier: Apache-2.0
// Channels of a program (cl_intel_channels; hls/channels.h): pipes that nobody makes or sets. A program has one for
// each name, which its kernels have as their last arguments. Its kernels run at once where they come from; here
// - each is held, also when its queue is flushed, until the kernels at the other ends of all its channels have come,
// and
//   all of them could begin. Of several at one end the first that came is taken;
// - then they are a chain, if a device has that (chain.h); else writers run before readers, with the channels in
// memory;
// - where a program waits for a command, those that it depends on run as they are, if what they read has a writer that
//   ran. A reader without one is held: its writer may come from another thread. The context is told after a while.
//
// Threads: heddle_lock is held in every call but heddle_channels_set, _free and _forget.
#ifndef HEDDLE_CL_CHANNELS_H
#define HEDDLE_CL_CHANNELS_H

#include <CL/cl.h>
#include <stdbool.h>

#include "host/device/kernel_file.h"

struct heddle_command;
struct heddle_channel;
struct heddle_channel_group;

// Of a command that runs a kernel with channels. It belongs to the command.
struct heddle_channel_user {
  struct heddle_command *command;
  const struct heddle_kernel *kernel;
  const struct heddle_kernel_file *file;  // that has the kernels at the other ends
  cl_kernel object;                       // that has the pipes
  // Used by channels.c.
  bool is_wanted, is_told;
  struct heddle_channel_user *next;    // that is held and has no group yet
  struct heddle_channel_group *group;  // NULL: none
};

// Sets the arguments of a kernel object that are channels. The program's pipes are made here, once. CL_SUCCESS,
// CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE or CL_INVALID_OPERATION, which the context is told.
cl_int heddle_channels_set(cl_kernel kernel);

// The channels of a program that goes. NULL is allowed.
void heddle_channels_free(struct heddle_channel *channels);

// To be called with a command that has a channel_user, before it is added to the schedule: it is held.
void heddle_channels_arrive(struct heddle_command *command);

// To be called when it has been added.
void heddle_channels_look(void);

// To be called when something that a held command waited for has changed.
void heddle_channels_changed(struct heddle_channel_user *user);

// To be called where a program waits, or asks as if it did: for an event, for all commands of a queue, or for any.
void heddle_channels_release_for(cl_event event);
void heddle_channels_release_queue(cl_command_queue queue);
void heddle_channels_release_all(void);

// Waits for heddle_changed, as where a program waits. Tells who is held, if that takes long.
void heddle_channels_wait(void);

// A command goes. Takes heddle_lock.
void heddle_channels_forget(struct heddle_channel_user *user);

#endif
