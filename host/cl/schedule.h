// SPDX-License-Identifier: Apache-2.0
// The scheduler of a device: chooses the oldest command that may begin. Cost of adding, taking and ending a command:
// the logarithm of the number of commands that may begin, and one step for each event of a wait list.
//
// Threads: the caller holds heddle_lock in every call. Errors: none.
#ifndef HEDDLE_CL_SCHEDULE_H
#define HEDDLE_CL_SCHEDULE_H

#include "host/cl/queue.h"

// Gives a command a sequence number that is higher than all before: it was enqueued, or is held no longer. It is not
// one that may begin already.
void heddle_schedule_number(struct heddle_command *command);

// Adds a command, which has a number, at the end of its queue.
void heddle_schedule_add(struct heddle_command *command);

// Holds a command no longer: it may begin.
void heddle_schedule_let_go(struct heddle_command *command);

// Whether a command ends without being run: an event that it waits for has failed, or it counts as if one had.
bool heddle_schedule_fails(const struct heddle_command *command);

// Removes the oldest command that may begin from its queue and returns it; NULL: no command may begin. A command may
// begin if
// - it is not held;
// - all events of its wait list have ended; for a command that goes to the device, events of commands in flight on it
//   count as ended;
// - in an in-order queue, it is the first;
// - in an out-of-order queue, no barrier is before it, and, if it waits for all before it, it is the first.
struct heddle_command *heddle_schedule_take(cl_device_id device);

// To be called when the command of the event is in flight on the device (event->command is set).
void heddle_schedule_begun(cl_event event);

// To be called when the status of the event is final.
void heddle_schedule_ended(cl_event event);

#endif
