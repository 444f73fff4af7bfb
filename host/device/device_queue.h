// SPDX-License-Identifier: Apache-2.0
// A device queue (rtl/DEVICE.md, "The device queue"): the memory that kernels of one dispatch, and those that they
// enqueue, leave commands and events in. Its contents are hostile: every word is checked before it is used.
//
// Threads: one at a time, and never while a dispatch runs. Errors: 0 or a negative errno; -EBADMSG: what is there
// cannot be a queue's contents, *error says why.
#ifndef HEDDLE_DEVICE_QUEUE_H
#define HEDDLE_DEVICE_QUEUE_H

#include "host/device/device_map.h"
#include "host/device/driver.h"
#include "host/device/kernel_file.h"

enum {
  HEDDLE_QUEUE_SIZE_PREFERRED = 16 << 10,  // bytes of commands
  HEDDLE_QUEUE_SIZE_MOST = 256 << 10,
  HEDDLE_QUEUE_EVENTS_MOST = 1024,  // that are not released
};

// What a kernel is told of the blocks it can name; as many as the file has.
struct heddle_block_limits {
  uint32_t work_group_size, sub_group_size;
};

struct heddle_device_queue_setup {
  const struct heddle_kernel_file *file;
  const struct heddle_block_limits *blocks;
  uint32_t size;    // bytes of commands; 0: there is no queue, only events and blocks to ask about
  bool is_default;  // what get_default_queue() gives
  bool uniform;     // work-groups have to be of one size
};

// A command that a kernel enqueued.
struct heddle_child {
  struct heddle_child *next, *parent;  // whose kernel enqueued it; NULL: the host's
  uint32_t unfinished;                 // itself and its children
  uint32_t kind, block, event, work_dim;
  uint32_t global_offset[3], global_size[3], local_size[3];  // local zeros: none given
  uint32_t num_waits, num_locals, literal_bytes;
  uint32_t bytes;                     // in the queue
  int32_t status;                     // it ended with; 0: complete
  uint64_t started, ended, finished;  // nanoseconds; finished: with its children
  uint32_t *waits, *locals, *literal;
};

struct heddle_device_queue;

int heddle_device_queue_open(struct heddle_device *device, const struct heddle_device_queue_setup *setup,
                             struct heddle_device_queue **queue);
// What is still enqueued is dropped. NULL is allowed.
void heddle_device_queue_close(struct heddle_device_queue *queue);

// Its address: what a dispatch takes, and what a queue_t is.
uint32_t heddle_device_queue_address(const struct heddle_device_queue *queue);

// After a dispatch that has not faulted: takes what it enqueued out of device memory. `parent` is whose kernel that
// was.
int heddle_device_queue_take(struct heddle_device_queue *queue, struct heddle_child *parent,
                             struct heddle_error *error);

// Takes the oldest command that waits for nothing out of the queue; NULL: there is none. *failed says that an event
// which it waits for ended with an error. The caller finishes it.
struct heddle_child *heddle_device_queue_next(struct heddle_device_queue *queue, bool *failed);

// Commands that are still enqueued.
uint32_t heddle_device_queue_count(const struct heddle_device_queue *queue);

// The command has run, or failed (status < 0): it and its parents, as far as their children are done, become complete,
// and so do their events. *child may be gone.
int heddle_device_queue_finish(struct heddle_device_queue *queue, struct heddle_child *child, int32_t status,
                               uint64_t now);

// Gives up a command that was taken and is not to be finished.
void heddle_device_queue_drop(struct heddle_child *child);

// Puts a command's block literal where its kernel can read it, until the next one is put there.
int heddle_device_queue_place_literal(struct heddle_device_queue *queue, const struct heddle_child *child,
                                      uint32_t *address);

#endif
