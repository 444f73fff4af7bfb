// SPDX-License-Identifier: Apache-2.0
// Buffers, sub-buffers, images (image.h) and pipes (pipe.h), and where their contents are.
//
// A buffer has memory on every root device of its context from the start; sub-devices share it. Its contents are valid
// on some of the devices, or at first only in host memory (CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR). The worker of a
// device copies them to the device when a command uses the buffer. A sub-buffer shares all of this with its buffer, and
// so does an image that is made of a buffer or of another image.
//
// Mapping: a buffer has at most one copy in host memory, of its full size. With CL_MEM_USE_HOST_PTR this is host_ptr.
// So all mappings of a byte have the same address. Mapping copies a range to the copy, unmapping copies it back.
//
// Where the only root of the context has its memory on the program's bus (heddle_device_memory), that memory is the
// copy: what is mapped is what kernels use, and mapping and unmapping move nothing. With CL_MEM_USE_HOST_PTR this is so
// for a host_ptr that points into such memory, as into what another buffer has mapped.
#ifndef HEDDLE_CL_MEMORY_H
#define HEDDLE_CL_MEMORY_H

#include <stdint.h>

#include "host/cl/queue.h"

enum heddle_use { HEDDLE_READS, HEDDLE_WRITES, HEDDLE_OVERWRITES };

// Slices of rows of bytes. A plain range is one row. What is between rows and slices is said where the box lies.
struct heddle_box {
  size_t bytes, rows, slices;
};

// One clEnqueueMap… that has not been undone. Byte (x, y, z) of the box is at offset + x + y * row_pitch +
// z * slice_pitch of the root buffer, and of its copy in host memory.
struct heddle_mapping {
  struct heddle_mapping *next;
  cl_mem memory;  // the object that was mapped, which is there as long as the mapping is
  size_t offset, row_pitch, slice_pitch;
  struct heddle_box box;
  cl_map_flags flags;
};

// What a buffer and its sub-buffers share.
struct heddle_storage {
  pthread_mutex_t lock;                    // guards the rest; may be held while a device is entered
  uint32_t addresses[HEDDLE_MAX_DEVICES];  // constant; by index in the context's list of roots
  uint64_t valid;                          // where contents are valid: a bit a root, and HEDDLE_VALID_ON_HOST
  char *host;                              // the copy in host memory; NULL: none yet
  size_t start_bytes;                      // of a pipe: what `host` has of its first contents, the only ones there
  bool host_owned;                         // freed with the buffer
  bool is_lent;                            // on the device it is a part of what the program has there already
  struct heddle_mapping *mappings;
};

#define HEDDLE_VALID_ON_HOST 0x8000000000000000u
_Static_assert(HEDDLE_MAX_DEVICES < 64, "each root has a bit");

struct _cl_mem {
  struct heddle_object object;
  cl_context context;
  cl_mem_flags flags;
  size_t size;
  void *host_ptr;  // as given with CL_MEM_USE_HOST_PTR
  cl_mem parent;   // of a sub-buffer, and of an image made of a memory object; NULL: it has storage of its own
  size_t origin;   // in the root buffer
  bool with_properties;
  uint32_t alignment;                 // CL_MEM_ALIGNMENT_HEDDLE; 0: not given
  cl_uint packet_bytes, max_packets;  // of a pipe, else 0
  bool is_concurrent;                 // CL_PIPE_CONCURRENT_HEDDLE
  uint32_t fed;                // of a channel: dispatches that write it and have begun alone, less those that read it
  uint32_t coming;             // of a channel: dispatches that write it and have been enqueued, but have not begun
  uint32_t claims;             // of a channel: dispatches that may begin, and read it. Guarded by heddle_lock, as `fed`
  bool is_used;                // of a pipe: kernels have used its memory. Only workers ask
  bool is_spoiled;             // of a stream (streams.h): a kernel at one of its ends has failed. Only workers ask
  bool has_packets;            // of a stream: some were left in memory. Guarded by heddle_lock
  struct heddle_image *image;  // of an image, owned; else NULL
  struct heddle_shared *shared;  // of memory that no handle names (shared.h), owned; else NULL
  atomic_uint map_count;
  struct heddle_callback *destructors;
  struct heddle_storage *storage;  // the parent's where there is one
};

bool heddle_is_memory(cl_mem memory);
bool heddle_is_buffer(cl_mem memory);

// A buffer; flags, size and host_ptr have been checked. Its addresses are multiples of `alignment`, a power of two; 0:
// of what all are. CL_MEM_OBJECT_ALLOCATION_FAILURE when a device has no room.
cl_mem heddle_memory_create(cl_context context, cl_mem_flags flags, size_t size, uint32_t alignment, void *host_ptr,
                            cl_int *error);

// The same with memory that the caller has: on every root at `address`, and on the host at `host`, which has its first
// contents with `host_is_valid`. The device memory is freed with the object, the host's is not.
cl_mem heddle_memory_create_at(cl_context context, cl_mem_flags flags, size_t size, uint32_t address, char *host,
                               bool host_is_valid);

// Sets the first `bytes` of the contents of a new memory object; the others do not matter. Takes ownership of `start`.
void heddle_memory_start(cl_mem memory, void *start, size_t bytes);

// A part of a buffer or image, at `origin` of it; everything has been checked.
cl_mem heddle_memory_create_sub(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size, cl_int *error);

void heddle_memory_release(cl_mem memory);

// The checks that clCreateBuffer and clCreateSubBuffer share: at most one flag of each exclusive group, no unknown one.
bool heddle_memory_flags_valid(cl_mem_flags flags);

// Whether a size is one of memory objects of the context: not 0, and none of its devices says that it is too large.
bool heddle_memory_size_valid(cl_context context, size_t size);

// The flags of an object that is made of another one: what is not said is inherited. False: they are not valid, take a
// pointer, or widen what the other one allows.
bool heddle_memory_inherit(cl_mem parent, cl_mem_flags *flags);

// The object whose storage it is: itself, its buffer, or its buffer's buffer.
cl_mem heddle_memory_root(cl_mem memory);

// Address on a device of the context. Constant.
uint32_t heddle_memory_address(cl_mem memory, cl_device_id device);

// Makes the contents valid on a device before a command uses them there. If the command writes, the contents elsewhere
// are marked as out of date. HEDDLE_OVERWRITES: the command writes every byte of `memory`, so nothing is copied. To be
// called on the device's worker. 0 or -errno.
int heddle_memory_prepare(cl_mem memory, cl_device_id device, enum heddle_use use);

// Adds a mapping and gives its host address. Of `wanted` flags, offset in `memory`, pitches and box are read.
// CL_INVALID_OPERATION: the mapping is for writing and overlaps another one for writing; CL_MAP_FAILURE: out of host
// memory.
cl_int heddle_memory_map(cl_mem memory, const struct heddle_mapping *wanted, void **pointer);

// Whether the flags of a clEnqueueMap… are flags, and fit each other; whether the host may do that with the object.
bool heddle_map_flags_valid(cl_map_flags flags);
bool heddle_map_allowed(cl_mem memory, cl_map_flags flags);

// Removes the latest mapping of this object at this address; *mapping is a copy of it. False: there is none.
bool heddle_memory_unmap(cl_mem memory, const void *pointer, struct heddle_mapping *mapping);

// Checks that the enqueue calls share. OpenCL asks that sub-buffers are aligned on the queue's device: here all are.
cl_int heddle_check_queue_memory(cl_command_queue queue, cl_mem memory);
cl_int heddle_check_queue_buffer(cl_command_queue queue, cl_mem buffer);
bool heddle_range_inside(cl_mem memory, size_t offset, size_t size);

#endif
