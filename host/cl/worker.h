// SPDX-License-Identifier: Apache-2.0
// The worker of a device: the thread that carries out the commands of all its queues (queue.h). platform.c ends it,
// queue.c starts it with the first queue. Any thread may call these functions; heddle_lock is not held unless a
// function says so.
#ifndef HEDDLE_CL_WORKER_H
#define HEDDLE_CL_WORKER_H

#include "host/cl/queue.h"

// Starts the device's worker. False: the thread cannot be created. The caller holds heddle_lock.
bool heddle_worker_start(cl_device_id device);

// Stops the kernel that runs, ends the worker and waits for its end; true also if there is none. Commands that have not
// begun stay in their queues. False: called on the worker itself, which then ends after the command that it runs.
bool heddle_worker_stop(cl_device_id device);

// Resets the worker's state of a device that no context has, after its worker was stopped.
void heddle_worker_reset(cl_device_id device);

// Whether this thread is that of the device: callbacks run on it. It cannot wait for commands of the device, which it
// would have to carry out. The device has a queue, or heddle_lock is held.
bool heddle_is_worker_of(cl_device_id device);

// For a command's own functions, which run on the worker.

// Tells the timeline of a part of a command, which took so many nanoseconds behind those that the whole has counted.
void heddle_worker_trace_part(const struct heddle_command *whole, const struct heddle_command *part, cl_ulong took);

// Whether a command did not run on the device only because one before it there went wrong: then it is run after all.
// A command of a command buffer is not, since nothing of a command buffer runs behind what went wrong.
bool heddle_is_held_back(const struct heddle_command *command, const struct heddle_record *record);

#endif
