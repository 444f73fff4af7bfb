// SPDX-License-Identifier: Apache-2.0
// Channels of a program (cl_intel_channels; hls/channels.h): pipes that nobody makes or sets. A program has one for
// each name, which its kernels have as their last arguments (channel_pipes.h). Its kernels run at once where they come
// from; here
// - each is held (channel_users.h), also when its queue is flushed, until the kernels at the other ends of all its
//   channels have come, and all of them could begin: then they are a group. Of several at one end the first that came
//   is taken;
// - a group is a chain, if a device has that (chain.h); else writers run before readers, with the channels in memory;
// - where a program waits for a command, those that it depends on run alone, if what they read has a writer that ran
//   (channel_waits.h). A reader without one stays held: its writer may come from another thread. The context is told
//   after a while.
//
// Threads: heddle_lock is held in every call but heddle_channels_forget.
#ifndef HEDDLE_CL_CHANNELS_H
#define HEDDLE_CL_CHANNELS_H

#include "host/cl/channel_users.h"
#include "host/cl/dependencies.h"

// To be called when a command that is held has been added to the schedule: it may make a group whole.
void heddle_channels_look(struct heddle_channel_user *come);

// Parts groups that wait for themselves, as their kernels are crosswise in queues, or as a command between two of one
// group in a queue is, and that have a kernel that a program waits for. Their kernels are held by themselves again, and
// `want` is called for each. Cost: what such groups depend on, once for each kernel with channels that comes.
void heddle_channels_part(void (*want)(struct heddle_channel_user *user));
bool heddle_channels_any_wait(void);  // whether a group has not begun
// Whether a program waits for one of a kernel's group, which has not begun.
bool heddle_channels_is_wanted(const struct heddle_channel_user *user);
// Adds the commands that a kernel can only begin with.
void heddle_channels_add_group(struct heddle_dependencies *dependencies, const struct heddle_channel_user *user);

// To be called when something that a held command waited for has changed.
void heddle_channels_changed(struct heddle_channel_user *user);

// A command goes. Takes heddle_lock.
void heddle_channels_forget(struct heddle_channel_user *user);

#endif
