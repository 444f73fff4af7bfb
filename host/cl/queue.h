// SPDX-License-Identifier: Apache-2.0
// Command queues and the commands in them. Each device has one worker thread, which runs the commands of all its queues
// one at a time, in the order of their enqueueing as far as wait lists allow. Kernels, and copies and fills that the
// device carries out, it hands to the device while earlier ones are there, which runs them in this order, too; whatever
// else there is runs when nothing is.
//
// An in-order queue offers the worker its first command; an out-of-order queue offers any that is ready and not behind
// a barrier. A command is ready when no event of its wait list is pending; one that goes to the device also when the
// pending ones are of commands that are there.
#ifndef HEDDLE_CL_QUEUE_H
#define HEDDLE_CL_QUEUE_H

#include <stdint.h>

#include "host/cl/event.h"

// An element of an event's list of the commands that wait for it (schedule.c).
struct heddle_wait_link {
  struct heddle_wait_link *next;
  struct heddle_command *command;
  bool flies;  // the event's command is in flight on the device
};

// First member of every command.
struct heddle_command {
  struct heddle_command *next, *previous;  // of its queue
  cl_event event;                          // holds the queue
  cl_uint num_waits;
  cl_event *waits;    // retained
  bool after_all;     // waits for everything before it in an out-of-order queue
  bool barrier;       // everything behind it in an out-of-order queue waits for it
  uint64_t sequence;  // of those that may begin, the lowest does

  // Used by schedule.c, guarded by heddle_lock.
  struct heddle_wait_link *links;          // one for each of `waits`
  cl_uint pending, in_flight;              // how many of these events have not begun; how many are in flight
  bool held;                               // it may not begin yet (chain.h, channels.h)
  bool open;                               // no earlier command of its queue holds it back, but for `after_all`
  bool ready;                              // it may begin
  bool fails;                              // it ends as if what it waits for had failed
  bool wanted;                             // it is one of struct heddle_dependencies
  bool looked;                             // all barriers in front of it are among those
  struct heddle_command *child, *sibling;  // in the heap of commands that may begin

  // Of a kernel that may be part of a chain (chain.h), which the command owns; NULL: of anything else.
  struct heddle_chain_member *member;
  // Of a kernel with channels (channels.h), which the command owns; NULL: of anything else.
  struct heddle_channel_user *channel_user;

  // Carries the command out. Called on the worker, no lock held. Returns the final execution status. NULL: the command
  // has nothing to do.
  cl_int (*run)(struct heddle_command *command);
  // For a command that the device carries out by itself: submits it to the device behind what is in flight there, sets
  // `number`, and returns true. False: `run` has to be called instead. Called on the worker, no lock held. NULL: the
  // command always needs `run`.
  bool (*begin)(struct heddle_command *command, const struct heddle_waits *waits);
  // Waits until a command that was begun has ended. Returns the final execution status.
  cl_int (*end)(struct heddle_command *command);
  uint32_t number;  // of the device's command (driver.h)
  // Releases what the command's own struct holds. NULL: nothing.
  void (*drop)(struct heddle_command *command);
  // Of a recorded command (command_buffer.h): whether it rests, as its buffer is not enqueued, so that nobody has to
  // wait for it. Called when that changes, heddle_lock held. NULL: nobody does.
  void (*rest)(struct heddle_command *command, bool rests);
  const char *name;  // for a timeline, valid until `drop`; NULL: that of its type
  uint64_t bytes;    // that it moves; 0: none
  // Device time that the command took, and with the kernels that it enqueued. 0: not known, the time that passed on the
  // host's clock is used.
  cl_ulong nanoseconds, nanoseconds_with_children;
};

struct _cl_command_queue {
  struct heddle_object object;
  cl_context context;
  cl_device_id device;
  cl_command_queue_properties properties;
  cl_queue_properties *properties_array;  // as given to clCreateCommandQueueWithProperties, with the final 0
  size_t properties_bytes;
  cl_uint size;                             // bytes, of an on-device queue; 0: a host queue
  struct _cl_command_buffer_khr *recorded;  // of a recorder (command_buffer.h): what it records for; NULL: a queue

  // Guarded by heddle_lock.
  struct heddle_command *first, *last;  // that have not begun
  cl_uint pending;                      // commands that have not ended, the running one included
  char *fault_text;                     // of the last dispatch that faulted; NULL: none has
};

bool heddle_is_queue(cl_command_queue queue);

static inline bool heddle_is_in_order(const struct _cl_command_queue *queue) {
  return (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

// Which of the two it is: commands of the host go to host queues, those of kernels to on-device queues.
bool heddle_is_host_queue(cl_command_queue queue);
bool heddle_is_on_device_queue(cl_command_queue queue);

// Starts the device's worker with its first queue. `list` may be NULL.
cl_command_queue heddle_queue_create(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                     const cl_queue_properties *list, size_t list_bytes, cl_int *error);
void heddle_queue_release(cl_command_queue queue);

// A host queue that no device knows, of the context and the device of another: commands enqueued to it are recorded.
cl_command_queue heddle_recorder_create(cl_command_queue queue, struct _cl_command_buffer_khr *buffer);

// On-device queues. The host keeps only that a queue exists, and its size. A kernel is complete when all that it
// enqueued has run, so a queue has memory on the device only while such a kernel runs (device_queue.h). A context has
// one for each device (CL_DEVICE_MAX_ON_DEVICE_QUEUES).

// Whether the device can have one.
bool heddle_offers_on_device_queues(cl_device_id device);

// `size` is in bytes, 0 for the preferred size. If the default queue is asked for and exists, it is returned.
// CL_OUT_OF_RESOURCES: the context has another queue for the device.
cl_command_queue heddle_on_device_queue_create(cl_context context, cl_device_id device,
                                               cl_command_queue_properties properties, cl_uint size,
                                               const cl_queue_properties *list, size_t list_bytes, cl_int *error);

// What a context has for a device: size 0 if there is none.
struct heddle_on_device_queue heddle_on_device_queue_of(cl_context context, cl_device_id device);

// The default queue of a device, NULL if there is none.
cl_command_queue heddle_default_queue(cl_context context, cl_device_id device);

// A zeroed command of `bytes` (its struct begins with a heddle_command) for the queue. NULL: host memory is out.
// The wait list has been checked.
void *heddle_command_create(size_t bytes, cl_command_queue queue, cl_command_type type, cl_uint num_waits,
                            const cl_event *waits);

// Releases all that a command holds except its event.
void heddle_command_drop(struct heddle_command *command);

// Frees a command that was not enqueued, with all that it holds.
void heddle_command_discard(struct heddle_command *command);

// Enqueues a command; the worker owns it from then on. With `blocking`, waits for its end and returns
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the error it ended with. *event_out (may be NULL) gets a reference
// unless there is an error.
cl_int heddle_enqueue(struct heddle_command *command, bool blocking, cl_event *event_out);

#endif
