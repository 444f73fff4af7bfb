// SPDX-License-Identifier: Apache-2.0
// Programs that wait for kernels with channels (channels.h).
//
// Threads: heddle_lock is held in every call; heddle_channels_wait gives it away meanwhile.
#ifndef HEDDLE_CL_CHANNEL_WAITS_H
#define HEDDLE_CL_CHANNEL_WAITS_H

#include "host/cl/channel_users.h"

// To be called where a program waits, or asks as if it did: for an event, for all commands of a queue, or for any. Lets
// go what that depends on.
void heddle_channels_release_for(cl_event event);
void heddle_channels_release_queue(cl_command_queue queue);
void heddle_channels_release_all(void);

// Waits for heddle_changed, as where a program waits. Tells who is held, if that takes long.
void heddle_channels_wait(void);

// To be called when a command begins: others may be waiting for what it writes.
void heddle_channels_begun(struct heddle_channel_user *user);

#endif
