// SPDX-License-Identifier: Apache-2.0
// One device, as the OpenCL library uses it: its capabilities, its memory, one dispatch at a time or several commands
// in flight. Follows contract/DEVICE.md.
//
// Threads: any thread may call. Reads, writes, dispatches and commands take the device's mutex. A dispatch holds it
// until it ends; collecting a command releases it now and then. allocate and free have a mutex of their own and never
// wait for a dispatch.
//
// Errors: 0 or a negative errno. -EIO: the device does not answer as DEVICE.md says; -ENODEV: the device is lost;
// -EFAULT: no such range; -ENOMEM: no room; -EAGAIN: too many commands have not been collected.
#ifndef HEDDLE_DRIVER_H
#define HEDDLE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/check.h"
#include "contract/device_map.h"
#include "contract/error.h"
#include "host/transport/transport.h"

struct heddle_device;

// A kind of compute unit, by its number: 0 is the programmable one, the others are kernel pipelines.
struct heddle_unit_kind {
  uint32_t type;                      // enum heddle_kind_type
  uint32_t units;                     // 0: there are none of this kind
  uint32_t lanes, slots;              // of a unit
  uint32_t work_group_items;          // most of a work-group
  uint32_t local_bytes;               // most of a work-group
  uint32_t sites;                     // of a pipeline: places that can fault
  uint32_t hash[4];                   // of a pipeline: names its kernel
  uint32_t pipes[HEDDLE_KIND_PIPES];  // of a pipeline: those that it writes on the chip (device_map.h); 0: none
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
  char isa[68];          // zero-terminated; the size leaves no padding, so that bytes of two can be compared
  uint32_t num_kinds;    // at least 1
  struct heddle_unit_kind kinds[HEDDLE_KINDS_MOST];
  uint32_t changes;  // how often the device has got another bitstream since it was opened
};

// Reads and checks the capability block, and starts the command processor if there is one. Takes ownership of *link: it
// is closed with the device, or at once if this call fails.
int heddle_device_open(const struct heddle_link *link, struct heddle_device **device, struct heddle_error *error);

// Closes the link. No other call of this file may be running for this device. NULL is allowed.
void heddle_device_close(struct heddle_device *device);

// Valid until the device is closed.
const struct heddle_capabilities *heddle_device_capability(const struct heddle_device *device);

// The device as it is observed (host/observe); NULL: it is not.
struct heddle_observed *heddle_device_observed(const struct heddle_device *device);

// How a device gets another bitstream: `load` puts it there, while nobody has the link; `open` opens a link to what is
// there then. Both return 0, or a negative errno with *error in words.
struct heddle_reconfiguration {
  int (*load)(void *user, struct heddle_error *error);
  int (*open)(void *user, struct heddle_link *link, struct heddle_error *error);
  void *user;
};

// Gives the device another bitstream, when all commands in flight have ended. What is allocated keeps its address and
// its contents, which are on the host meanwhile. heddle_device_capability is another one from then on; no other thread
// may read it during the call. On failure *error says what happened: if what was there still answers, the device goes
// on with all of its memory, else it is lost, and *error says how much was in it. -ENOTSUP: devices with a command
// processor cannot.
int heddle_device_reconfigure(struct heddle_device *device, const struct heddle_reconfiguration *how,
                              struct heddle_error *error);

// Whether the device is lost: it was removed, or did not answer as DEVICE.md says. A lost device stays lost, and every
// call returns -ENODEV at once. *why (may be NULL) gets the reason. Takes no mutex.
bool heddle_device_lost(const struct heddle_device *device, struct heddle_error *why);

// Reserves `bytes` of global memory, at the lowest address that is not below `lowest` or anywhere, or releases what was
// reserved at `address`. The contents are undefined. Addresses and sizes are in bytes. `rights` is what kernels may do
// there: an entry of the device's table of rights. Without it only dispatches of domain 0 reach it.
int heddle_device_allocate(struct heddle_device *device, uint32_t bytes, uint32_t alignment, uint32_t *address);
int heddle_device_allocate_for(struct heddle_device *device, uint8_t rights, uint32_t bytes, uint32_t alignment,
                               uint32_t *address);
int heddle_device_allocate_from(struct heddle_device *device, uint8_t rights, uint32_t bytes, uint32_t alignment,
                                uint32_t lowest, uint32_t *address);
void heddle_device_free(struct heddle_device *device, uint32_t address);

// What is reserved at `address`, with an end that is that of a page, becomes two pieces, which are released one by one:
// the second, `bytes` behind it at the begin of a page, has these rights. 0, -EINVAL or -ENOMEM.
int heddle_device_split(struct heddle_device *device, uint32_t address, uint32_t bytes, uint8_t rights);

// ---- Rights of kernels (contract/DEVICE.md, "Rights")

// Bytes of a page for which a device keeps rights; 0: it keeps none, or they are not used, because the device checks
// kernels itself, or its memory is the program's.
uint32_t heddle_device_page_bytes(const struct heddle_device *device);

// A domain for dispatches that others are to be apart from, and its end. A device has HEDDLE_DOMAIN_MOST; when all are
// taken, the one that the fewest share is shared. HEDDLE_DOMAIN_UNCHECKED, which need not be given back: the device
// keeps no rights.
uint32_t heddle_device_take_domain(struct heddle_device *device);
void heddle_device_give_domain(struct heddle_device *device, uint32_t domain);

// The entry of the table of rights that dispatches find at an address: the last one that was written.
uint8_t heddle_device_rights_at(struct heddle_device *device, uint32_t address);

// Where the program has byte 0 of global memory, of a device on the program's bus. What lies there is read and written
// in place: before it is looked at, heddle_device_read with `data` at that very place, and heddle_device_write
// afterwards, which move nothing. NULL: the device's memory is not the program's. Constant.
void *heddle_device_memory(const struct heddle_device *device);

// Contents of global memory. heddle_device_wipe writes zeros where an earlier process may have left its data, which is
// so on boards; on other devices, whose memory begins with zeros, it does nothing. Its `address` is a multiple of 128,
// and the bytes from the end of the range to the next multiple of 4 are not in use.
int heddle_device_wipe(struct heddle_device *device, uint32_t address, uint32_t bytes);
int heddle_device_read(struct heddle_device *device, uint32_t address, void *data, size_t bytes);
int heddle_device_write(struct heddle_device *device, uint32_t address, const void *data, size_t bytes);

// ---- Checks of kernels (contract/check.h)

// Whether the device checks them: HEDDLE_CHECK is 1, and it is the golden model. Takes no mutex.
bool heddle_device_checks(const struct heddle_device *device);

// What has just been allocated at `address` is a buffer, or a pipe, of which kernels may use so many bytes. Does
// nothing on devices that do not check. A buffer that is freed is kept back for a while, until others need its memory.
void heddle_device_is_buffer(struct heddle_device *device, uint32_t address, uint32_t bytes, bool is_pipe);

// What has been found in the last dispatch that was checked; *count findings, the caller's to free. 0 or -ENOMEM.
// has_ended: the kernel came to its end; what it has left undone is found, too. *incomplete: the device had no host
// memory to check all, or there were too many.
int heddle_device_findings(struct heddle_device *device, bool has_ended, struct heddle_finding **findings,
                           size_t *count, bool *incomplete);

// What a kernel printed: records as the device left them, not checked yet (printf_records.h).
struct heddle_printed {
  uint8_t *records;  // the caller of the dispatch frees them, whatever the result
  uint32_t bytes;
  uint32_t lost;  // calls that found the buffer full
};

// What a device that checks kernels is to know of a dispatch. Pointers are the caller's.
struct heddle_dispatch_check {
  // `at` is an offset in the argument block, `serial` 0. Kind HEDDLE_CHECK_NONE: it may be an address in a buffer
  const struct heddle_check_pointer *pointers;
  size_t num_pointers;
  bool has_orders;  // as in struct heddle_check_scene
};

// One NDRange. Unused dimensions: global and local size 1, offset 0.
// A pipe of a chain: its address in memory, bytes from there to its packets, how many it takes, and whether those that
// were read make room for others, since its two kernels need not run one after the other.
struct heddle_dispatch_pipe {
  uint32_t address, packets_offset, most_packets;
  bool makes_room;
};

struct heddle_dispatch {
  uint32_t changes;    // heddle_capabilities.changes of the device that it is meant for; of another one it is -ESTALE
  uint32_t kind;       // of compute unit that it runs on: a number of heddle_capabilities.kinds
  uint32_t unit_mask;  // units of the kind that it may run on, a bit each; 0: all. It and what it enqueues
  uint32_t domain;     // whose rights it and what it enqueues have; HEDDLE_DOMAIN_UNCHECKED: all
  uint32_t entry;      // address of the kernel's entry
  uint32_t work_dim;
  uint32_t global_size[3], global_offset[3], local_size[3];
  uint32_t sub_group_size;  // power of two up to LANES
  uint32_t local_bytes;     // of a work-group, variables and arguments
  uint32_t stack_bytes;     // a work-item needs; 0: not known
  const void *arguments;    // the argument block, copied behind the packet
  size_t argument_bytes;
  uint64_t budget;                 // cycles; 0: none
  struct heddle_printed *printed;  // all zeros; NULL: the kernel has no printf
  // Address of the device queue (device_queue.h); 0: the kernel enqueues nothing. With a queue, stack, budget and
  // printing hold for the kernel and all that it enqueues together.
  uint32_t device_queue;
  const struct heddle_dispatch_check *check;  // of the programmable unit's; NULL: it is not checked
  // Of a chain: the dispatch of the kernel with the next number, NULL of the last; and the pipes that this one tells
  // of.
  const struct heddle_dispatch *next;
  struct heddle_dispatch_pipe pipes[HEDDLE_DISPATCH_PIPE_COUNT];
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

// The sum of two dispatches' performance counters.
struct heddle_figures heddle_figures_sum(const struct heddle_figures *one, const struct heddle_figures *other);

struct heddle_fault {
  uint32_t reason;   // enum heddle_fault_reason
  uint32_t pc;       // device address; of a kernel pipeline the number of a site
  uint32_t address;  // of a memory fault, else 0
  uint32_t group_id[3], sub_group_id, lane;
};

// Called about twenty times a second while a dispatch runs, with the device's mutex held. It has to be quick and must
// not call this file. If it returns false, the dispatch is stopped (fault `stopped by host`).
typedef bool heddle_progress(void *user, const struct heddle_figures *figures);

// Runs one NDRange and what its kernel enqueues to the end, after all commands in flight. 0: completed. 1: faulted,
// *fault says how. Negative: the device cannot be reached, or there is no room for private memory or the printf buffer
// (-ENOMEM). *figures is filled unless the result is negative. `progress` may be NULL.
int heddle_device_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                           heddle_progress *progress, void *user, struct heddle_figures *figures,
                           struct heddle_fault *fault);

// ---- Commands in flight: contract/DEVICE.md, "The command processor". For a device without a command processor the
// driver carries them out itself, in order, when they are collected.

// What a command waits for: up to four earlier commands by their numbers, or all earlier commands. Where a call takes
// a pointer to this, NULL means that the command waits for nothing.
struct heddle_waits {
  uint32_t count, numbers[4];
  bool all;
};

// Each of these calls submits a command and returns its number (0, 1, 2 … modulo 2^32). Other commands wait for it by
// that number, and it has to be collected once by that number. With 64 commands that have not been collected the result
// is -EAGAIN. The caller's structures and what they point to may be reused after the call. Ranges have to be in global
// memory, else the command's record says `refused`.
//
// A dispatch must not print (-EINVAL: use heddle_device_dispatch). All dispatches share one piece of private memory. A
// dispatch that needs a larger one than those before it waits in this call until they have ended.
int heddle_device_submit_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                                  const struct heddle_waits *waits, uint32_t *number);
// Rows of bytes. A pitch is the number of bytes from the start of a row to the start of the next. No row of the source
// overlaps a row of the destination.
struct heddle_copy {
  uint32_t source, destination;  // addresses of the first row
  uint32_t bytes, rows;          // of a row; 0 rows are as good as 1
  uint32_t source_pitch, destination_pitch;
};
int heddle_device_submit_copy(struct heddle_device *device, const struct heddle_copy *copy,
                              const struct heddle_waits *waits, uint32_t *number);
// A pattern, repeated from the destination on. Its size in bytes is a power of two up to HEDDLE_FILL_PATTERN_MOST, else
// -EINVAL. -ENOMEM: the device has no room for a pattern of more than 4 bytes.
enum { HEDDLE_FILL_PATTERN_MOST = 128 };
struct heddle_fill {
  uint32_t destination, bytes;
  const void *pattern;
  uint32_t pattern_bytes;
};
int heddle_device_submit_fill(struct heddle_device *device, const struct heddle_fill *fill,
                              const struct heddle_waits *waits, uint32_t *number);

// Whether the command processor is expected to take less time for this than the host, which waits until the device is
// idle and moves all bytes over the link. False on a device without a command processor. HEDDLE_DEVICE_TRANSFERS, if
// set, decides instead. Takes no mutex.
bool heddle_device_copies(const struct heddle_device *device, const struct heddle_copy *copy);
bool heddle_device_fills(const struct heddle_device *device, uint64_t bytes);

int heddle_device_submit_marker(struct heddle_device *device, const struct heddle_waits *waits, uint32_t *number);

// The result of a command.
struct heddle_record {
  uint32_t status;                // enum heddle_record_status
  uint32_t refused_why;           // enum heddle_refusal, of a refused one
  uint64_t start;                 // device clock
  uint64_t cycles;                // of the command's own kernel, without what that enqueued
  struct heddle_figures figures;  // of a copy, fill or marker only the cycles; zeros if the command did not run
  struct heddle_fault fault;      // of a dispatch that faulted
  uint32_t faulted_dispatch;      // address of the enqueued dispatch that faulted; 0: the command's own did
};

// Reads a dispatch back from global memory, without its arguments, to describe a fault of an enqueued kernel.
int heddle_device_read_dispatch(struct heddle_device *device, uint32_t address, struct heddle_dispatch *dispatch);

// As heddle_device_dispatch, but returns the whole record. 0: *record is filled, also for a fault; else negative.
int heddle_device_run(struct heddle_device *device, const struct heddle_dispatch *dispatch, heddle_progress *progress,
                      void *user, struct heddle_record *record);

// How many dispatches have not ended well. A kernel that faults may have stored anywhere in global memory, also over
// the code of other programs. So after each change of this number, code and constants have to be written again. Takes
// no mutex.
uint64_t heddle_device_damages(const struct heddle_device *device);

// Waits until a command and all commands before it have ended, and collects it. `progress` (may be NULL) is called
// while this command runs, and may stop it. 0: *record is filled. -ENOENT: no such command is in flight.
int heddle_device_collect(struct heddle_device *device, uint32_t number, heddle_progress *progress, void *user,
                          struct heddle_record *record);

// Bytes of printf records that every kernel of a device can print: the most that the records of one work-item take.
uint32_t heddle_printf_capacity(const struct heddle_capabilities *capability);

// log2 of the bytes of private memory that a work-item gets for a kernel that needs `stack_bytes`. 0: the kernel needs
// more than the hardware can give.
uint32_t heddle_private_log2(uint32_t stack_bytes);

// Global id of the work-item that faulted, computed from its work-group, sub-group and lane (DEVICE.md, "How a
// work-item starts and ends").
void heddle_fault_global_id(const struct heddle_dispatch *dispatch, const struct heddle_fault *fault,
                            uint32_t global_id[3]);

// "unmapped", "divergent collective", …: the words of DEVICE.md, and "stack overflow" where it is one; static.
const char *heddle_fault_words(const struct heddle_fault *fault);
// Whether the kernel has meant to fault, so that its address says nothing.
bool heddle_fault_is_meant(const struct heddle_fault *fault);

#endif
