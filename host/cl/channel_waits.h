// SPDX-License-Identifier: Apache-2.0
// Programs that wait for kernels with channels (channels.h).
//
// Threads: heddle_lock is held in every call; heddle_channels_wait gives it away meanwhile.
#ifndef HEDDLE_CL_CHANNEL_WAITS_H
#define HEDDLE_CL_CHANNEL_WAITS_H

#include "host/cl/channel_users.h"

// To be called where a program waits, or asks as if it did: for events, for all commands of a queue, or for any. Lets
// go what that depends on.
void heddle_channels_release_for(cl_uint count, const cl_event *events);
void heddle_channels_release_queue(cl_command_queue queue);
void heddle_channels_release_all(void);

// The same where a worker has nothing to do.
void heddle_channels_idle(cl_device_id device);

// To be called when a kernel with channels has come: what a program waits for already may depend on it.
void heddle_channels_release_come(struct heddle_channel_user *come);

// Waits for heddle_changed, as where a program waits. Tells who is held, if that takes long. Workers do so, too, for
// programs that are called back and never wait.
void heddle_channels_wait(void);

// To be called when a command begins: others may be waiting for what it writes.
void heddle_channels_begun(struct heddle_channel_user *user);

// To be called when a kernel that read a channel has ended, and packets are left in memory: the next reader may have
// them.
void heddle_channels_left(cl_mem channel);

// The same as heddle_channels_begun for a kernel of a command buffer.
void heddle_channels_replayed(const struct heddle_channel_user *user);

#endif
