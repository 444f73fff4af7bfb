// SPDX-License-Identifier: Apache-2.0
// What went wrong with a kernel, and what it printed, told to the application. Returned is the status of the command's
// event. heddle_lock is not held.
#ifndef HEDDLE_CL_DISPATCH_FAILURES_H
#define HEDDLE_CL_DISPATCH_FAILURES_H

#include "host/cl/dispatch.h"

// The driver could not be made to run it.
cl_int heddle_dispatch_command_failed(const struct dispatch_command *this, int result);

// The device did not take it, or what it enqueued.
cl_int heddle_dispatch_command_refused(const struct dispatch_command *this, uint32_t why);

// Of a kernel of a chain, that has been enqueued alone: without programmable units it cannot run by itself.
cl_int heddle_dispatch_command_has_one_end(const struct dispatch_command *this);

// It, or a block that it enqueued, faulted. is_told: what the device has found in it says so already.
cl_int heddle_dispatch_command_keep_fault(struct dispatch_command *this, const struct heddle_record *record,
                                          bool is_told);

// Adds lines to the event's fault text, and makes it the queue's.
void heddle_dispatch_command_keep_text(cl_event event, char *text);

// What the kernel printed goes to stdout, and what of it cannot to the context's callback.
void heddle_dispatch_command_print(const struct dispatch_command *this, const struct heddle_printed *printed);

#endif
