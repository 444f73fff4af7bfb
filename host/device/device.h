// SPDX-License-Identifier: Apache-2.0
// The private side of the driver: what its files share. Callers outside host/device include driver.h alone.
//
// Errors: 0 or a negative errno, as driver.h has them. Threads: the caller holds the mutex `access` unless a function
// says otherwise. Times are in milliseconds of the host's clock, or in cycles where the name or comment says so.
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "contract/device_map.h"
#include "contract/enqueued.h"
#include "host/device/allocator.h"
#include "host/device/driver.h"

// A range of global memory that the driver keeps for itself. It is replaced by a larger one when needed.
struct heddle_region {
  uint32_t address, bytes;  // in global memory; bytes 0: nothing allocated yet
};

// Makes a region at least `bytes` large, at a multiple of `alignment`, a power of two (dispatch.c). Its contents are
// lost if it grows. Kernels of all domains may read it, and write it if `is_written`. -ENOMEM: no room; the region is
// as before or empty.
int heddle_region_grow(struct heddle_device *device, struct heddle_region *region, bool is_written, uint64_t bytes,
                       uint32_t alignment);

// A command that was submitted, and its result.
struct heddle_ring_command {
  bool taken;    // this entry is in use: the command has not been collected
  bool started;  // without a command processor: the dispatch queue of the device has its dispatch
  uint32_t words[HEDDLE_RING_COMMAND_WORDS];
  uint32_t record[HEDDLE_RECORD_WORDS];  // valid once the command has ended
  struct heddle_region memory;           // its dispatch or pattern; reused by the next command in this entry
  uint64_t budget;                       // of a dispatch, in cycles; 0: no limit
};

// A number of 64 bits in a dispatch or a record: the low word comes first. Any thread.
static inline uint64_t heddle_long_at(const uint32_t *words) {
  return (uint64_t)words[1] << 32 | words[0];
}

// Whether the command is a dispatch whose kernel may enqueue kernels; whether it is a dispatch of either kind.
static inline bool heddle_ring_command_enqueues(const struct heddle_ring_command *command) {
  return (command->words[HEDDLE_RING_KIND] & ~(uint32_t)HEDDLE_RING_BARRIER) == HEDDLE_RING_IS_ENQUEUER;
}
static inline bool heddle_ring_command_dispatches(const struct heddle_ring_command *command) {
  return (command->words[HEDDLE_RING_KIND] & ~(uint32_t)HEDDLE_RING_BARRIER) == HEDDLE_RING_IS_DISPATCH ||
         heddle_ring_command_enqueues(command);
}

// Without a command processor: the running dispatch whose kernel enqueues kernels.
struct heddle_enqueuer {
  struct heddle_enqueued queue;
  uint64_t budget, cycles;  // of all kernels together, in cycles: the limit; used so far
  uint32_t dispatch;        // address of the dispatch that runs
  int result;               // first error of the link since it began
};

// Command n has entry n modulo HEDDLE_RING_COMMANDS. Commands before `head` have ended; those before `tail` were
// submitted.
struct heddle_commands {
  uint32_t head, tail;
  struct heddle_ring_command entries[HEDDLE_RING_COMMANDS];
};

// The device's table of rights (rights.c), as far as it has been written.
struct heddle_table {
  uint64_t changes;  // of the allocator, when it was; 0: what it holds is not known
  uint8_t entries[HEDDLE_RIGHTS_PAGES_MOST];
};

struct heddle_device {
  struct heddle_link link;
  struct heddle_capabilities capability;
  struct heddle_allocator *allocator;
  struct heddle_checked *checked;  // of a device that checks kernels (check.c); NULL: it does not
  unsigned transfers_by;           // who moves bytes; transfers.c

  pthread_mutex_t access;  // guards the link, the regions and the commands
  struct heddle_commands commands;
  struct heddle_enqueuer enqueuer;
  atomic_uint_least64_t damages;  // dispatches that did not end well (driver.h, heddle_device_damages)
  atomic_bool lost;               // set once, never cleared
  struct heddle_error loss;       // why; written once, before `lost` is set
  struct heddle_region private_memory;
  struct heddle_region wiper;  // code of the kernel that wipe.c runs
  struct heddle_printf_memory {
    struct heddle_region region;
    uint32_t used;                         // bytes of its records that are not zero
  } printf_buffers[HEDDLE_CHAIN_KERNELS];  // of each kernel of a chain; of others the first
  struct heddle_table table;
  atomic_uint domains[HEDDLE_DOMAIN_MOST + 1];  // by how many each is used
};

// Gives the device's table of rights what has been allocated and freed since; before a dispatch is submitted. Nothing
// on devices whose rights are not used.
int heddle_rights_write(struct heddle_device *device);

// log2 of the bytes of a page of the table of rights; 0: there is none. Any thread.
uint32_t heddle_page_log2(const struct heddle_device *device);

// Reads or writes one control register; `offset` in bytes, as in DEVICE.md. `access` need not be held while no other
// thread knows the device.
int heddle_register_read(struct heddle_device *device, uint32_t offset, uint32_t *value);
int heddle_register_write(struct heddle_device *device, uint32_t offset, uint32_t value);

// Reads and checks the capability block of a device that has only its link.
int heddle_device_probe(struct heddle_device *device, struct heddle_error *error);

// Marks the device as lost: it is not used any more. The first reason is kept. Returns `result`.
int heddle_lose(struct heddle_device *device, int result, const char *why);

// Called at the end of every call of the driver with its result. -ENODEV and -EIO mark the device as lost. Returns
// `result`.
int heddle_settle(struct heddle_device *device, int result);

// Reads a performance counter of a device that may be running; reads all counters of the last dispatch.
int heddle_figure_read(struct heddle_device *device, uint32_t offset, uint64_t *value);
int heddle_figures_read(struct heddle_device *device, struct heddle_figures *figures);

// Commands in flight (commands.c).
static inline bool heddle_has_processor(const struct heddle_device *device) {
  return (device->capability.features & HEDDLE_FEATURE_PROCESSOR) != 0;
}
static inline struct heddle_ring_command *heddle_ring_command_at(struct heddle_device *device, uint32_t number) {
  return &device->commands.entries[number % HEDDLE_RING_COMMANDS];
}
// Begins a command: *command is the entry of the next one, zeros but for its region. -EAGAIN: the command that had the
// entry has not been collected. heddle_command_submit then submits it and gives its number.
int heddle_command_begin(struct heddle_device *device, const struct heddle_waits *waits,
                         struct heddle_ring_command **command);
int heddle_command_submit(struct heddle_device *device, uint32_t *number);
// Waits until a command has ended, fills *record and frees its entry. `progress` may be NULL (driver.h).
int heddle_command_finish(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user,
                          struct heddle_record *record);
// Waits until all commands have ended. They stay to be collected.
int heddle_commands_drain(struct heddle_device *device);

// Two ways to carry commands out: ring.c with a command processor, direct_commands.c without one. `advance` waits for
// the device for up to so many milliseconds, moves `head`, and writes the records of commands that have ended.
int heddle_ring_open(struct heddle_device *device, struct heddle_error *error);
int heddle_ring_submit(struct heddle_device *device, uint32_t number);
int heddle_ring_advance(struct heddle_device *device, unsigned milliseconds);
int heddle_direct_commands_advance(struct heddle_device *device, unsigned milliseconds);

// Checks of kernels (check.c). Any thread, without `access`, but for the scene. open: 0 or -ENOMEM.
int heddle_checked_open(struct heddle_device *device);
void heddle_checked_close(struct heddle_device *device);
// Keeps what is freed back. False: it is to be freed.
bool heddle_checked_release(struct heddle_device *device, uint32_t address);
// Frees what is kept back. False: there was nothing.
bool heddle_checked_make_room(struct heddle_device *device);
// Tells the device what there is when the dispatch at `address` starts. 0 or -ENOMEM.
int heddle_checked_scene(struct heddle_device *device, const struct heddle_dispatch *dispatch, uint32_t address);

// Reads HEDDLE_DEVICE_TRANSFERS (transfers.c). -EINVAL: it has another value than those, and *error names them.
int heddle_transfers_open(struct heddle_device *device, struct heddle_error *error);

// Zeros `bytes` of global memory from `address` on, a multiple of 128, after all commands in flight (wipe.c). `all`:
// zeros local memory and registers, too.
int heddle_wipe(struct heddle_device *device, uint32_t address, uint32_t bytes, bool all);

// As heddle_device_run, without progress.
int heddle_dispatch_now(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                        struct heddle_record *record);

// The printf buffer (DEVICE.md, "The printf buffer"): in global memory, one for each kernel of a chain; or, of a
// program on a device without atomics, one in the private memory of each lane of each slot.
struct heddle_printing {
  uint32_t kind;    // of the unit: a kernel pipeline always prints into global memory
  uint32_t number;  // of the kernel in its chain; else 0
  // Private memory has 1 << log2 bytes a work-item, of which the stack needs stack_bytes.
  uint32_t log2, stack_bytes;
};
// Bytes of a work-item's private memory that a buffer takes there; 0: it is in global memory. Any thread.
uint32_t heddle_printf_private_bytes(const struct heddle_device *device);
// Makes an empty buffer. *address is what the packet of the dispatch gives.
int heddle_printf_buffer_prepare(struct heddle_device *device, const struct heddle_printing *printing,
                                 uint32_t *address);
// Reads what the last dispatch left in the buffer. *printed is all zeros before; the caller frees its contents.
int heddle_printf_buffer_read(struct heddle_device *device, const struct heddle_printing *printing,
                              struct heddle_printed *printed);

#endif
