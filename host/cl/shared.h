// SPDX-License-Identifier: Apache-2.0
// Memory that host and devices have at the same address: shared virtual memory (OpenCL 3.0, section 5.6) and
// cl_intel_unified_shared_memory. A device has addresses of 32 bits, and the low 4 GiB of a process on Linux are free:
// memory is allocated on the devices, at the same pages on each, and the host maps pages of its own at that address.
//
// To the library such memory is a memory object that no handle names. Its kind says who moves what is in it:
//
//   HEDDLE_SVM         mapping and unmapping, as of a buffer (coarse-grained)
//   HEDDLE_USM_DEVICE  commands; the host cannot touch it
//   HEDDLE_USM_HOST,   kernels: ahead of one that uses it the bytes go to its device that the host has changed, and
//   behind HEDDLE_USM_SHARED  it those come to the host that it has changed. A copy has what both had last
//
// Threads: any. One mutex, a leaf (event.h), guards the list of all.
#ifndef HEDDLE_CL_SHARED_H
#define HEDDLE_CL_SHARED_H

#include "host/cl/transfer.h"

enum heddle_shared_kind { HEDDLE_SVM, HEDDLE_USM_HOST, HEDDLE_USM_DEVICE, HEDDLE_USM_SHARED };

// The largest alignment that is asked for: that of the largest built-in type.
enum { HEDDLE_SHARED_ALIGNMENT = 128 };

// Part of the memory object. Constant, but for `agreed`, which its storage's lock guards, and `resting`, which
// heddle_lock does.
struct heddle_shared {
  enum heddle_shared_kind kind;
  char *start;          // in the host; as a number also on the devices
  size_t mapped_bytes;  // whole pages
  cl_device_id device;  // for which it was allocated; NULL: for all of the context
  cl_bitfield flags;    // as given: CL_MEM_ALLOC_FLAGS_INTEL
  char *agreed;         // of memory that kernels move: what host and device had last
  cl_uint resting;      // references of commands that rest (queue.h)
};

// Whether an alignment can be had: a power of two, or 0.
bool heddle_shared_alignment_valid(cl_uint alignment);

// Allocates. The size has been checked. Its contents are zeros, but for HEDDLE_USM_DEVICE. NULL, and *error is
// CL_OUT_OF_RESOURCES (a device does not open, or no address is free on both sides), CL_OUT_OF_HOST_MEMORY or
// CL_MEM_OBJECT_ALLOCATION_FAILURE.
void *heddle_shared_allocate(cl_context context, cl_mem_flags flags, const struct heddle_shared *wanted, size_t bytes,
                             cl_int *error);

// Waits until no command uses memory, which the caller has freed and still holds; those that rest (queue.h) do not
// count. heddle_lock is held.
void heddle_shared_wait(cl_mem memory);

// To be called when somebody has let go of shared memory. The caller does not hold heddle_lock.
void heddle_shared_let_go(void);

// Frees what begins at a pointer; commands that use it keep it. False: there is none of these kinds, a bit each.
bool heddle_shared_free(cl_context context, const void *pointer, unsigned kinds);

// Where a pointer leads: into memory of the context, which is retained until heddle_shared_leave; else `memory` is
// NULL.
struct heddle_shared_place {
  cl_mem memory;
  size_t offset;
};

// False: the `bytes` from the pointer on begin in shared memory and end outside.
bool heddle_shared_find(cl_context context, const void *pointer, size_t bytes, struct heddle_shared_place *place);
void heddle_shared_leave(const struct heddle_shared_place *place);

// Whether a pointer leads into memory of the context that the host cannot touch.
bool heddle_shared_is_hidden(cl_context context, const void *pointer);

// All memory of a context of some kinds, retained; *memories is the caller's to free. CL_OUT_OF_HOST_MEMORY.
cl_int heddle_shared_list(cl_context context, unsigned kinds, cl_mem **memories, cl_uint *count);

// clEnqueueSVMMemcpy, clEnqueueSVMMemFill and those like them: the checks behind that of the queue, and the command.
// Pointers may also be the host's own.
cl_int heddle_shared_copy(cl_command_queue queue, cl_command_type type, bool blocking, void *to, const void *from,
                          size_t bytes, cl_uint num_waits, const cl_event *waits, cl_event *event);
cl_int heddle_shared_fill(cl_command_queue queue, cl_command_type type, void *to, const struct heddle_pattern *pattern,
                          size_t bytes, cl_uint num_waits, const cl_event *waits, cl_event *event);

// Sets an argument of a kernel to a pointer into shared memory of some kinds, or to NULL.
struct _cl_kernel;
cl_int heddle_shared_set_argument(cl_kernel kernel, cl_uint index, const void *pointer, unsigned kinds);

// Ahead of and behind a kernel on a device that uses it: moves what has changed. Does nothing with memory that kernels
// do not move, and with other memory objects. Called on the device's worker. 0 or -errno.
int heddle_shared_push(cl_mem memory, cl_device_id device);
int heddle_shared_pull(cl_mem memory, cl_device_id device);

// Gives back what only such memory has. Of any memory object.
void heddle_shared_end(cl_mem memory);

// To be called in a child process after fork.
void heddle_shared_forked(void);

#endif
