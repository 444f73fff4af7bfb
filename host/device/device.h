// SPDX-License-Identifier: Apache-2.0
// The inside of a device: shared by the files of the driver (driver.h is what others see).
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "contract/device_map.h"
#include "contract/enqueued.h"
#include "host/device/allocator.h"
#include "host/device/driver.h"

// A piece of global memory the driver keeps for itself between dispatches and replaces by a larger one when needed.
struct heddle_region {
  uint32_t address, bytes;  // bytes 0: none yet
};

// Makes a region at least `bytes` large (dispatch.c). Its contents need not survive. 0 or -ENOMEM.
int heddle_region_grow(struct heddle_device *device, struct heddle_region *region, uint64_t bytes, uint32_t alignment);

// A command that was submitted, and what came of it.
struct heddle_command {
  bool taken;    // it is not collected yet
  bool started;  // on a device without a command processor: the walker has its dispatch
  uint32_t words[HEDDLE_RING_COMMAND_WORDS];
  uint32_t record[HEDDLE_RECORD_WORDS];  // once it has ended
  struct heddle_region memory;           // its dispatch or pattern; kept for the next command in this place
  uint64_t budget;                       // of a dispatch, cycles; 0: none
};

// 64 bits of a dispatch or a record: the low word comes first.
static inline uint64_t heddle_long_at(const uint32_t *words) {
  return (uint64_t)words[1] << 32 | words[0];
}

// Whether it is a dispatch with what its kernel enqueues; that or a dispatch by itself.
static inline bool heddle_command_enqueues(const struct heddle_command *command) {
  return (command->words[HEDDLE_RING_KIND] & ~(uint32_t)HEDDLE_RING_BARRIER) == HEDDLE_RING_IS_ENQUEUER;
}
static inline bool heddle_command_dispatches(const struct heddle_command *command) {
  return (command->words[HEDDLE_RING_KIND] & ~(uint32_t)HEDDLE_RING_BARRIER) == HEDDLE_RING_IS_DISPATCH ||
         heddle_command_enqueues(command);
}

// On a device without a command processor: an enqueuer that runs.
struct heddle_enqueuer {
  struct heddle_enqueued queue;
  uint64_t budget, cycles;  // of all; so far
  uint32_t dispatch;        // that runs
  int result;               // of reaching the device meanwhile
};

// Command n is at n modulo HEDDLE_RING_COMMANDS. Those before `head` have ended, those before `tail` were submitted.
struct heddle_commands {
  uint32_t head, tail;
  struct heddle_command place[HEDDLE_RING_COMMANDS];
};

struct heddle_device {
  struct heddle_link link;
  struct heddle_capabilities capability;
  struct heddle_allocator *allocator;
  unsigned transfers_by;  // transfers.c

  pthread_mutex_t access;  // guards the link, the regions and the commands
  struct heddle_commands commands;
  struct heddle_enqueuer enqueuer;
  atomic_uint_least64_t damages;
  atomic_bool lost;          // for good
  struct heddle_error loss;  // why; written once, before that
  struct heddle_region private_memory;
  struct heddle_region wiper;  // the code of wipe.c
  struct heddle_region printf_buffer;
  uint32_t printf_used;  // bytes of its records that are not zero
};

// One control register. The caller holds `access`, or nobody else knows the device yet.
int heddle_register_read(struct heddle_device *device, uint32_t offset, uint32_t *value);
int heddle_register_write(struct heddle_device *device, uint32_t offset, uint32_t value);

// The device is not to be used any more, for a reason; the first one counts. Returns `result`. The caller holds
// `access`.
int heddle_lose(struct heddle_device *device, int result, const char *why);

// What a call of the driver ends with: if the device went, or answers as none does, it is lost. Returns `result`.
int heddle_settle(struct heddle_device *device, int result);

// A figure of a device that may be running, and those of a dispatch. The caller holds `access`.
int heddle_figure_read(struct heddle_device *device, uint32_t offset, uint64_t *value);
int heddle_figures_read(struct heddle_device *device, struct heddle_figures *figures);

// Commands in flight (commands.c). The caller holds `access`. -EAGAIN: the place is taken.
static inline bool heddle_has_processor(const struct heddle_device *device) {
  return (device->capability.features & HEDDLE_FEATURE_PROCESSOR) != 0;
}
static inline struct heddle_command *heddle_command_at(struct heddle_device *device, uint32_t number) {
  return &device->commands.place[number % HEDDLE_RING_COMMANDS];
}
// The place of the next command, zeros but for its region; then submits what is there.
int heddle_command_begin(struct heddle_device *device, const struct heddle_waits *waits,
                         struct heddle_command **command);
int heddle_command_submit(struct heddle_device *device, uint32_t *number);
// Waits until a command has ended and gives its place back.
int heddle_command_finish(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user,
                          struct heddle_record *record);
// Waits until all have ended; they are still to be collected.
int heddle_commands_drain(struct heddle_device *device);

// The two ways to carry them out: ring.c with a command processor, walker.c without. `advance` gives the device some
// milliseconds: moves `head`, and writes the records of what has ended. Its result is 0 or an error.
int heddle_ring_open(struct heddle_device *device, struct heddle_error *error);
int heddle_ring_submit(struct heddle_device *device, uint32_t number);
int heddle_ring_advance(struct heddle_device *device, unsigned milliseconds);
int heddle_walker_advance(struct heddle_device *device, unsigned milliseconds);

// Reads the variable of transfers.c. -EINVAL: it is none of its values.
int heddle_transfers_open(struct heddle_device *device, struct heddle_error *error);

// Zeros from an address on, which is a multiple of 128, behind all commands in flight (wipe.c). `all`: in local memory
// and registers, too. The caller holds `access`.
int heddle_wipe(struct heddle_device *device, uint32_t address, uint32_t bytes, bool all);

// As heddle_device_run, for a caller that holds `access`, without progress.
int heddle_dispatch_now(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                        struct heddle_record *record);

// Where a dispatch prints to. Bytes that it takes of each work-item's private memory, 0 where it is elsewhere; an empty
// one, for private memory of 1 << log2 bytes of which the stack needs `stack_bytes`, and the address that the packet
// gives; what a dispatch left in it (*printed is all zeros before). The caller holds `access`.
uint32_t heddle_printf_private_bytes(const struct heddle_device *device);
int heddle_printf_buffer_prepare(struct heddle_device *device, uint32_t log2, uint32_t stack_bytes, uint32_t *address);
int heddle_printf_buffer_read(struct heddle_device *device, uint32_t log2, uint32_t stack_bytes,
                              struct heddle_printed *printed);

#endif
