// SPDX-License-Identifier: Apache-2.0
// One device, as the OpenCL library uses it: what it is, its memory, one dispatch at a time or several commands in
// flight. Follows contract/DEVICE.md.
//
// Threads: reads, writes, dispatches and commands take the device's own mutex, so any thread may call; a dispatch holds
// it until it ends, collecting a command lets go of it now and then. Placement (allocate, free) has a mutex of its own
// and never waits for a dispatch. Errors: 0 or a negative errno. -EIO: the device does not answer as one; -ENODEV: it
// is gone, or was lost before; -EFAULT: no such range; -ENOMEM: no room; -EAGAIN: too many commands that are not
// collected.
#ifndef HEDDLE_DRIVER_H
#define HEDDLE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/device_map.h"
#include "contract/error.h"
#include "host/transport/transport.h"

struct heddle_device;

// A kind of compute unit, by its number: 0 is the programmable one, the others are kernel pipelines.
struct heddle_unit_kind {
  uint32_t type;              // enum heddle_kind_type
  uint32_t units;             // 0: there are none of this kind
  uint32_t lanes, slots;      // of a unit
  uint32_t work_group_items;  // most of a work-group
  uint32_t local_bytes;       // most of a work-group
  uint32_t sites;             // of a pipeline: places that can fault
  uint32_t hash[4];           // of a pipeline: names its kernel
};

// The capability block. Without programmable units `units` is 0.
struct heddle_capabilities {
  uint32_t lanes, slots, units;         // slots of a unit
  uint32_t local_memory_bytes;          // of a unit, hence of a work-group
  uint32_t first_global, global_bytes;  // where global memory begins and ends
  uint32_t line_bytes;
  uint32_t clock_khz;
  uint32_t memory_latency, memory_interval;  // cycles; 0: not known
  uint32_t memory_channels;                  // each brings a line every `memory_interval` cycles; at least 1
  uint32_t features;
  uint32_t cache_bytes;  // 0: no device cache
  char isa[65];          // zero-terminated
  uint32_t num_kinds;    // at least 1
  struct heddle_unit_kind kinds[HEDDLE_KINDS_MOST];
};

// Reads and checks the capability block, and starts the command processor if there is one. From then on the device owns
// *link, in case of failure too (it is closed).
int heddle_device_open(const struct heddle_link *link, struct heddle_device **device, struct heddle_error *error);

// Closes the link. Nobody may be inside a call. NULL is allowed.
void heddle_device_close(struct heddle_device *device);

// Valid as long as the device.
const struct heddle_capabilities *heddle_device_capability(const struct heddle_device *device);

// Whether the device went, or was found not to answer as one: it stays so, every call is -ENODEV at once, and *why (if
// wanted) says what was found. Takes no mutex.
bool heddle_device_lost(const struct heddle_device *device, struct heddle_error *why);

// Global memory: who owns which piece. Contents are undefined.
int heddle_device_allocate(struct heddle_device *device, uint32_t bytes, uint32_t alignment, uint32_t *address);
void heddle_device_free(struct heddle_device *device, uint32_t address);

// Global memory: contents. Those of a board may be an earlier process's: heddle_device_wipe makes them zeros; of other
// devices, which begin with zeros, it leaves them. `address` is a multiple of 128, and nobody has the bytes up to the
// next multiple of 4 behind the range.
int heddle_device_wipe(struct heddle_device *device, uint32_t address, uint32_t bytes);
int heddle_device_read(struct heddle_device *device, uint32_t address, void *data, size_t bytes);
int heddle_device_write(struct heddle_device *device, uint32_t address, const void *data, size_t bytes);

// What a kernel printed: records as the device left them, nothing of them checked (printf_records.h).
struct heddle_printed {
  uint8_t *records;  // to be freed by whoever dispatched, whatever the result
  uint32_t bytes;
  uint32_t lost;  // calls that found the buffer full
};

// One NDRange. Unused dimensions: global and local size 1, offset 0.
struct heddle_dispatch {
  uint32_t kind;   // of compute unit that it runs on: a number of heddle_capabilities.kinds
  uint32_t entry;  // address of the kernel's entry
  uint32_t work_dim;
  uint32_t global_size[3], global_offset[3], local_size[3];
  uint32_t sub_group_size;  // power of two up to LANES
  uint32_t local_bytes;     // of a work-group, variables and arguments
  uint32_t stack_bytes;     // a work-item needs; 0: not known
  const void *arguments;    // the argument block, copied behind the packet
  size_t argument_bytes;
  uint64_t budget;                 // cycles; 0: none
  struct heddle_printed *printed;  // all zeros; NULL: the kernel has no printf
  // Address of the queue that it, and what it enqueues, may enqueue to (device_queue.h); 0: it does not. What is said
  // of stack, budget and printing is then of all of them.
  uint32_t device_queue;
};

struct heddle_figures {
  uint64_t cycles;        // from start to completion, or so far
  uint64_t issues;        // instructions issued
  uint64_t active_lanes;  // summed over issued instructions
  uint64_t groups_done;   // work-groups completed
  uint64_t memory_requests;
  uint64_t memory_wait_cycles, conflict_cycles;
  uint64_t cache_requests, cache_misses;
};

// Of one dispatch and another.
struct heddle_figures heddle_figures_sum(const struct heddle_figures *one, const struct heddle_figures *other);

struct heddle_fault {
  uint32_t reason;   // enum heddle_fault_reason
  uint32_t pc;       // device address; of a kernel pipeline the number of a site
  uint32_t address;  // of a memory fault, else 0
  uint32_t group_id[3], sub_group_id, lane;
};

// Called about twenty times a second while a dispatch runs, with the device's mutex held: be quick, call nothing of
// this file. Returning false stops the dispatch (it ends with the fault `stopped by host`).
typedef bool heddle_progress(void *user, const struct heddle_figures *figures);

// Runs one NDRange to its end, and what its kernel enqueues, behind all commands in flight. 0: completed. 1: it
// faulted, *fault says how. Negative: the device could not be asked, or there is no room for the private memory or the
// printf buffer (-ENOMEM). *figures is filled unless negative. `progress` may be NULL.
int heddle_device_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                           heddle_progress *progress, void *user, struct heddle_figures *figures,
                           struct heddle_fault *fault);

// ---- Commands in flight: contract/DEVICE.md, "The command processor". A device without one carries them out in order,
// when they are collected.

// What a command waits for: commands by their numbers, which are earlier ones; all before it. NULL: for nothing.
struct heddle_waits {
  uint32_t count, numbers[4];
  bool all;
};

// Each of these writes a command and tells its number (0, 1, 2 … modulo 2^32), by which others wait for it and by which
// it has to be collected, once; as many as 64 in a row may be submitted and not collected, then: -EAGAIN. What the
// caller's structures point to is not needed any more. Ranges are in global memory, else the record says `refused`.
//
// A dispatch may not print (-EINVAL: use heddle_device_dispatch). Private memory is all dispatches' together; one that
// needs more than any before it waits here until those in flight have ended.
int heddle_device_submit_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                                  const struct heddle_waits *waits, uint32_t *number);
// Rows of bytes, each a number of bytes behind the one before it. No row of the source overlaps one of the destination.
struct heddle_copy {
  uint32_t source, destination;  // addresses of the first row
  uint32_t bytes, rows;          // of a row; 0 rows are as good as 1
  uint32_t source_pitch, destination_pitch;
};
int heddle_device_submit_copy(struct heddle_device *device, const struct heddle_copy *copy,
                              const struct heddle_waits *waits, uint32_t *number);
// A pattern, repeated from the destination on. Its size is a power of two up to HEDDLE_FILL_PATTERN_MOST, else -EINVAL.
// -ENOMEM: no room on the device for a pattern of more than a word.
enum { HEDDLE_FILL_PATTERN_MOST = 128 };
struct heddle_fill {
  uint32_t destination, bytes;
  const void *pattern;
  uint32_t pattern_bytes;
};
int heddle_device_submit_fill(struct heddle_device *device, const struct heddle_fill *fill,
                              const struct heddle_waits *waits, uint32_t *number);

// Whether that is the faster way: the command processor moves the bytes by itself, while a host that does it waits
// until the device is idle and sends all of them over the link. False on a device without a command processor.
// HEDDLE_DEVICE_TRANSFERS decides where it is set. Takes no mutex.
bool heddle_device_copies(const struct heddle_device *device, const struct heddle_copy *copy);
bool heddle_device_fills(const struct heddle_device *device, uint64_t bytes);

int heddle_device_submit_marker(struct heddle_device *device, const struct heddle_waits *waits, uint32_t *number);

// What became of a command.
struct heddle_record {
  uint32_t status;                // enum heddle_record_status
  uint32_t refused_why;           // enum heddle_refusal, of a refused one
  uint64_t start;                 // device clock
  uint64_t cycles;                // of the command's own kernel, without what that enqueued
  struct heddle_figures figures;  // of what is no dispatch only the cycles; zeros if it did not run
  struct heddle_fault fault;      // of a dispatch that faulted
  uint32_t faulted_dispatch;      // address of the enqueued one that did; 0: it was the command's own
};

// The dispatch of a record: what was enqueued can be described as what the host dispatched. Without arguments.
int heddle_device_read_dispatch(struct heddle_device *device, uint32_t address, struct heddle_dispatch *dispatch);

// As heddle_device_dispatch, for who wants to know all: the result is 0 or negative, *record says what became of it.
int heddle_device_run(struct heddle_device *device, const struct heddle_dispatch *dispatch, heddle_progress *progress,
                      void *user, struct heddle_record *record);

// Grows with every dispatch that did not end well: a kernel that goes wrong may have stored anywhere in global memory,
// over the code of others too. What has to be as it was written is then written again. Takes no mutex.
uint64_t heddle_device_damages(const struct heddle_device *device);

// Waits until a command and all before it have ended; then it is collected. `progress` is called while it is the one
// that runs and may stop it; it may be NULL. 0: *record is filled. -ENOENT: no such command is in flight.
int heddle_device_collect(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user,
                          struct heddle_record *record);

// Bytes that a kernel of a device can always print: as much as one work-item's records may take.
uint32_t heddle_printf_capacity(const struct heddle_capabilities *capability);

// log2 of the private memory a work-item gets for a kernel that needs `stack_bytes`; the kernel's stack and what the
// hardware can do permitting. 0 if no private memory is large enough.
uint32_t heddle_private_log2(uint32_t stack_bytes);

// Global id of the faulting work-item: DEVICE.md "How a work-item starts" backwards.
void heddle_fault_global_id(const struct heddle_dispatch *dispatch, const struct heddle_fault *fault,
                            uint32_t global_id[3]);

// "unmapped", "divergent collective", …: the words of DEVICE.md, and "stack overflow" where it is one; static.
const char *heddle_fault_words(const struct heddle_fault *fault);

#endif
