// SPDX-License-Identifier: Apache-2.0
// Which command of a device runs next: the oldest one that may begin. Enqueueing, beginning and ending a command cost
// the logarithm of the number of commands that are ready, and a step for each event of a wait list.
//
// Thread-safety: heddle_lock is held in every call.
#ifndef HEDDLE_CL_SCHEDULE_H
#define HEDDLE_CL_SCHEDULE_H

#include "host/cl/queue.h"

// Puts a command at the end of its queue. Its sequence number is set, and is higher than those before.
void heddle_schedule_add(struct heddle_command *command);

// Takes the oldest command that may begin out of its queue; NULL: there is none. A command may begin when
// - no event of its wait list is pending, but for those of commands that are on the device, if it goes there, too;
// - in an in-order queue, it is the first;
// - in an out-of-order queue, no barrier is before it, and it is the first if it waits for all before it.
struct heddle_command *heddle_schedule_take(cl_device_id device);

// The command of the event is on the device now (event->command is set).
void heddle_schedule_begun(cl_event event);

// The event has ended: its status is final.
void heddle_schedule_ended(cl_event event);

#endif
