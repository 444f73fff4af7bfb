// SPDX-License-Identifier: Apache-2.0
// Kernels that are held although a reader that a program waits for could run after them: their own group is not whole,
// as a reader of something else has not come, or as one of it ran alone before. And autorun kernels, which nobody waits
// for.
//
// Threads: heddle_lock is held.
#ifndef HEDDLE_CL_CHANNEL_FEEDERS_H
#define HEDDLE_CL_CHANNEL_FEEDERS_H

#include "host/cl/channel_users.h"

// Calls `want` for each kernel that is held, is not wanted, and writes what a wanted one reads, directly or through
// others; only where all that those read has been written or is by such kernels. `of`: for which readers. Cost: the
// kernels that are held, and the square of those of a program.
void heddle_channel_feeders(bool (*of)(const struct heddle_channel_user *reader),
                            void (*want)(struct heddle_channel_user *feeder, void *data), void *data);

#endif
