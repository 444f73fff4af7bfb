// SPDX-License-Identifier: Apache-2.0
// Events and the one lock of the library.
//
// Locking, all of it: heddle_lock guards the state of every event, every queue and every device's worker; it is held
// for moments, never while a device or the application is called. heddle_changed is signalled when any of that changes;
// the workers, clFinish and clWaitForEvents wait for it. Besides it there are leaves, of which a thread holds one at a
// time: the registry (object.c), a program's builds (program.h), a buffer's whereabouts (memory.h, may enter a device),
// a device's access (driver.h), a device's placement (allocator.h).
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

// Device time in nanoseconds, each not before the one above it.
struct heddle_times {
  cl_ulong queued, submit, start, end, complete;  // complete: with what it enqueued on the device
};

// What a dispatch leaves behind, beside the status.
struct heddle_dispatch_record {
  struct heddle_figures figures;
  cl_ulong groups_total;
  cl_ulong lanes, units;  // of the kind of compute unit that it runs on; of several dispatches of the last
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
  struct heddle_command *command;  // while it is on the device (worker.c), else NULL
  struct heddle_wait_link *waits;  // of commands that wait for it (schedule.c)
  bool user_status_set;
  struct heddle_event_callback *callbacks;
  struct heddle_times times;
  struct heddle_dispatch_record dispatch;
};

// In a child of fork: nobody has the lock.
void heddle_events_forked(void);

bool heddle_is_event(cl_event event);

// An event of a command (retains the queue), or a user event (queue NULL). NULL: host memory is out.
cl_event heddle_event_create(cl_context context, cl_command_queue queue, cl_command_type type, cl_int status);

void heddle_event_release(cl_event event);

// Moves an event on, wakes who waits, and calls the callbacks that are due, on this thread. heddle_lock is not held.
void heddle_event_set_status(cl_event event, cl_int status);

// The same for a command that has ended: its queue forgets it, and the caller's reference is given up before anybody
// can see the end.
void heddle_event_complete(cl_event event, cl_int status);

// Waits until none of the events is pending. Returns the first negative status among them, else CL_COMPLETE.
cl_int heddle_event_wait(cl_uint count, const cl_event *events);

// Checks of event_wait_list: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
cl_int heddle_check_wait_list(cl_context context, cl_uint count, const cl_event *events);

#endif
