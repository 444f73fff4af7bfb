// SPDX-License-Identifier: Apache-2.0
// Events and the one lock of the library.
//
// The library's locking: heddle_lock guards the state of every event, every queue and every device's worker. It is held
// for a short time only, never during a call of a device or of the application. heddle_changed is signalled when any of
// that state changes; the workers, clFinish and clWaitForEvents wait for it.
//
// The other mutexes are leaves, of which a thread holds one at a time: the registry (object.c), a program's builds
// (program.h), a buffer's storage (memory.h), a device's access (driver.h), a device's allocator (allocator.h). Only a
// buffer's storage may be locked during a call of a device.
#ifndef HEDDLE_CL_EVENT_H
#define HEDDLE_CL_EVENT_H

#include <pthread.h>

#include "host/cl/context.h"

extern pthread_mutex_t heddle_lock;
extern pthread_cond_t heddle_changed;

typedef void(CL_CALLBACK *heddle_event_notify)(cl_event event, cl_int status, void *user_data);

struct heddle_event_callback {
  struct heddle_event_callback *next;
  cl_int type;  // CL_SUBMITTED, CL_RUNNING or CL_COMPLETE
  heddle_event_notify notify;
  void *user_data;
};

// Device time in nanoseconds. None is earlier than the one before it in this list.
struct heddle_times {
  cl_ulong queued, submit, start, end, complete;  // complete: with the kernels that the kernel enqueued
};

// Results of a dispatch besides its status.
struct heddle_dispatch_record {
  struct heddle_figures figures;
  cl_ulong groups_total;
  cl_ulong lanes, units;  // of the kind of compute unit that it runs on; of several dispatches, of the last one
  cl_ulong fault_offset;  // PC of the fault as an offset in the kernel file's image
  char *fault_text;       // NULL: no fault; owned
};

struct _cl_event {
  struct heddle_object object;
  cl_context context;
  cl_command_queue queue;  // NULL: user event
  cl_command_type type;

  // Guarded by heddle_lock.
  cl_int status;
  struct heddle_command *command;  // while the command is in flight on the device (worker.c), else NULL
  struct heddle_command *waiting;  // in its queue, until it begins; NULL: it has begun, or is none of a queue
  struct heddle_wait_link *waits;  // the commands that wait for it (schedule.c)
  bool user_status_set;
  struct heddle_event_callback *callbacks, **callbacks_end;  // in the order of their registration
  struct heddle_times times;
  struct heddle_dispatch_record dispatch;
};

// To be called in a child process after fork: makes the lock new, which another thread may have held.
void heddle_events_forked(void);

bool heddle_is_event(cl_event event);

// Makes an event of a command, which retains the queue, or a user event (queue NULL). NULL: out of host memory.
cl_event heddle_event_create(cl_context context, cl_command_queue queue, cl_command_type type, cl_int status);

void heddle_event_release(cl_event event);

// Sets the status of an event, wakes the threads that wait, and calls the callbacks that are due, on this thread. The
// caller does not hold heddle_lock.
void heddle_event_set_status(cl_event event, cl_int status);

// The same for a command that has ended. It is removed from its queue, and the caller's reference is released before
// another thread can see the final status.
void heddle_event_complete(cl_event event, cl_int status);

// Waits until none of the events is pending. Returns the first negative status among them, else CL_COMPLETE.
cl_int heddle_event_wait(cl_uint count, const cl_event *events);

// Checks of event_wait_list: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
cl_int heddle_check_wait_list(cl_context context, cl_uint count, const cl_event *events);

#endif
