// SPDX-License-Identifier: Apache-2.0
// Buffers and where their contents are (memory.h).
#include "host/cl/memory.h"

#include <CL/cl_ext_intelfpga.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/image.h"
#include "host/cl/rect.h"
#include "host/cl/shared.h"

enum { HOST_ALIGNMENT = 4096, BYTES_A_MOVE = 1 << 20 };

bool heddle_is_memory(cl_mem memory) {
  return heddle_object_valid(memory, HEDDLE_MEMORY_OBJECT);
}

bool heddle_memory_flags_valid(cl_mem_flags flags) {
  const cl_mem_flags kernel_access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const cl_mem_flags host_access = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  const cl_mem_flags pointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  // Which of a board's memories a buffer is to lie in, as programs of Intel's SDK for FPGAs ask: here there is one.
  const cl_mem_flags places = CL_CHANNEL_7_INTELFPGA | CL_MEM_HETEROGENEOUS_INTELFPGA;
  const cl_mem_flags kernel = flags & kernel_access;
  const cl_mem_flags host = flags & host_access;
  if ((flags & ~(kernel_access | host_access | pointer | places)) != 0)
    return false;
  if ((kernel & (kernel - 1)) != 0 || (host & (host - 1)) != 0)
    return false;
  return (flags & CL_MEM_USE_HOST_PTR) == 0 || (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0;
}

bool heddle_is_buffer(cl_mem memory) {
  return heddle_is_memory(memory) && memory->packet_bytes == 0 && !memory->image;
}

// It may not widen what the other one allows, and takes no pointer of its own.
static bool part_flags_valid(cl_mem_flags parent, cl_mem_flags flags) {
  if (!heddle_memory_flags_valid(flags) ||
      (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0)
    return false;
  if ((parent & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0)
    return false;
  if ((parent & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0)
    return false;
  if ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0)
    return false;
  if ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0)
    return false;
  return (parent & CL_MEM_HOST_NO_ACCESS) == 0 || (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) == 0;
}

static cl_mem_flags inherit(cl_mem_flags parent, cl_mem_flags flags) {
  const cl_mem_flags kernel_access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const cl_mem_flags host_access = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  if ((flags & kernel_access) == 0)
    flags |= parent & kernel_access;
  if ((flags & host_access) == 0)
    flags |= parent & host_access;
  return flags | (parent & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

bool heddle_memory_inherit(cl_mem parent, cl_mem_flags *flags) {
  if (!part_flags_valid(parent->flags, *flags))
    return false;
  *flags = inherit(parent->flags, *flags);
  return true;
}

bool heddle_memory_size_valid(cl_context context, size_t size) {
  for (cl_uint i = 0; i < context->num_devices; i++) {
    const struct heddle_capabilities *capabilities = heddle_capabilities_of(context->devices[i]);
    if (capabilities && size > heddle_max_allocation(capabilities))
      return false;
  }
  return size != 0;
}

static void *host_copy(size_t size) {
  const size_t rounded = (size + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
  return aligned_alloc(HOST_ALIGNMENT, rounded);
}

// Gives back the places on the first `count` roots.
static void free_places(cl_context context, const struct heddle_storage *storage, cl_uint count) {
  for (cl_uint i = 0; i < count && !storage->is_lent; i++)
    heddle_device_free(context->roots[i]->driver, storage->addresses[i]);
}

// Byte 0 of the memory of the context's only root, where the program has it; else NULL.
static char *memory_in_place(cl_context context) {
  const struct heddle_device *driver = context->num_roots == 1 ? heddle_open(context->roots[0]) : NULL;
  return driver ? heddle_device_memory(driver) : NULL;
}

// A pointer of the program's into that memory is a place there, which kernels may use as it is if it is aligned.
static bool take_lent(cl_context context, struct heddle_storage *storage, size_t size, uint32_t alignment,
                      const char *host_ptr) {
  const uintptr_t base = (uintptr_t)memory_in_place(context), at = (uintptr_t)host_ptr;
  if (base == 0 || at < base)
    return false;
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(context->roots[0]);
  const uint64_t offset = at - base;
  storage->is_lent = offset >= capabilities->first_global && offset <= capabilities->global_bytes &&
                     size <= capabilities->global_bytes - offset && offset % alignment == 0;
  storage->addresses[0] = storage->is_lent ? (uint32_t)offset : 0;
  return storage->is_lent;
}

static cl_int take_places(cl_context context, struct heddle_storage *storage, cl_mem_flags flags, size_t size,
                          uint32_t alignment) {
  for (cl_uint i = 0; i < context->num_roots; i++) {
    struct heddle_device *driver = heddle_open(context->roots[i]);
    const uint8_t rights = heddle_context_rights(context, i, (flags & CL_MEM_READ_ONLY) == 0);
    if (!driver || heddle_device_allocate_for(driver, rights, (uint32_t)size, alignment, &storage->addresses[i]) != 0) {
      free_places(context, storage, i);
      return driver ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_RESOURCES;
    }
    heddle_device_is_buffer(driver, storage->addresses[i], (uint32_t)size, false);
  }
  return CL_SUCCESS;
}

// The first contents, if there are any.
static cl_int take_contents(cl_context context, struct heddle_storage *storage, cl_mem_flags flags, size_t size,
                            void *host_ptr) {
  char *memory = memory_in_place(context);
  if (storage->is_lent) {
    storage->host = host_ptr;
    storage->valid = 1;
  } else if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    storage->host = host_ptr;
    storage->valid = HEDDLE_VALID_ON_HOST;
  } else if (memory) {
    storage->host = memory + storage->addresses[0];
    storage->valid = (flags & CL_MEM_COPY_HOST_PTR) != 0;
    return storage->valid == 0 ||
                   heddle_device_write(context->roots[0]->driver, storage->addresses[0], host_ptr, size) == 0
               ? CL_SUCCESS
               : CL_OUT_OF_RESOURCES;
  } else if ((flags & CL_MEM_COPY_HOST_PTR) != 0) {
    storage->host = host_copy(size);
    if (!storage->host)
      return CL_OUT_OF_HOST_MEMORY;
    storage->host_owned = true;
    memcpy(storage->host, host_ptr, size);
    storage->valid = HEDDLE_VALID_ON_HOST;
  }
  return CL_SUCCESS;
}

static struct heddle_storage *storage_create(cl_context context, cl_mem_flags flags, size_t size, uint32_t wanted,
                                             void *host_ptr, cl_int *error) {
  const uint32_t alignment = wanted > HEDDLE_BUFFER_ALIGNMENT ? wanted : HEDDLE_BUFFER_ALIGNMENT;
  struct heddle_storage *storage = calloc(1, sizeof *storage);
  if (!storage) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  const bool is_lent = (flags & CL_MEM_USE_HOST_PTR) != 0 && take_lent(context, storage, size, alignment, host_ptr);
  *error = is_lent ? CL_SUCCESS : take_places(context, storage, flags, size, alignment);
  if (*error == CL_SUCCESS) {
    *error = take_contents(context, storage, flags, size, host_ptr);
    if (*error != CL_SUCCESS)
      free_places(context, storage, context->num_roots);
  }
  if (*error != CL_SUCCESS) {
    free(storage);
    return NULL;
  }
  pthread_mutex_init(&storage->lock, NULL);
  return storage;
}

static void storage_destroy(cl_context context, struct heddle_storage *storage) {
  free_places(context, storage, context->num_roots);
  if (storage->host_owned)
    free(storage->host);
  pthread_mutex_destroy(&storage->lock);
  free(storage);
}

// NULL: out of host memory.
static cl_mem object_create(cl_context context, cl_mem_flags flags, size_t size, struct heddle_storage *storage) {
  cl_mem memory = heddle_object_create(HEDDLE_MEMORY_OBJECT, sizeof *memory);
  if (!memory)
    return NULL;
  heddle_object_retain(context);
  memory->context = context;
  memory->flags = flags;
  memory->size = size;
  memory->storage = storage;
  return memory;
}

cl_mem heddle_memory_create(cl_context context, cl_mem_flags flags, size_t size, uint32_t alignment, void *host_ptr,
                            cl_int *error) {
  struct heddle_storage *storage = storage_create(context, flags, size, alignment, host_ptr, error);
  if (!storage)
    return NULL;
  cl_mem memory = object_create(context, flags, size, storage);
  if (!memory) {
    storage_destroy(context, storage);
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  memory->host_ptr = (flags & CL_MEM_USE_HOST_PTR) != 0 ? host_ptr : NULL;
  memory->alignment = alignment;
  return memory;
}

cl_mem heddle_memory_create_at(cl_context context, cl_mem_flags flags, size_t size, uint32_t address, char *host,
                               bool host_is_valid) {
  struct heddle_storage *storage = calloc(1, sizeof *storage);
  cl_mem memory = storage ? object_create(context, flags, size, storage) : NULL;
  if (!memory) {
    free(storage);
    return NULL;
  }
  for (cl_uint i = 0; i < context->num_roots; i++) {
    storage->addresses[i] = address;
    heddle_device_is_buffer(context->roots[i]->driver, address, (uint32_t)size, false);
  }
  storage->host = host;
  storage->valid = host_is_valid ? HEDDLE_VALID_ON_HOST : 0;
  pthread_mutex_init(&storage->lock, NULL);
  return memory;
}

void heddle_memory_start(cl_mem memory, void *start, size_t bytes) {
  struct heddle_storage *storage = memory->storage;
  storage->host = start;
  storage->host_owned = true;
  storage->start_bytes = bytes;
  storage->valid = HEDDLE_VALID_ON_HOST;
}

cl_mem heddle_memory_create_sub(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size, cl_int *error) {
  cl_mem memory = heddle_object_create(HEDDLE_MEMORY_OBJECT, sizeof *memory);
  if (!memory) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  heddle_object_retain(parent->context);
  heddle_object_retain(parent);
  memory->context = parent->context;
  memory->flags = flags;
  memory->size = size;
  memory->host_ptr = parent->host_ptr ? (char *)parent->host_ptr + origin : NULL;
  memory->parent = parent;
  memory->origin = parent->origin + origin;
  memory->storage = parent->storage;
  *error = CL_SUCCESS;
  return memory;
}

// The mappings that nobody undid of an object that goes.
static void forget_mappings(cl_mem memory) {
  struct heddle_storage *storage = memory->storage;
  pthread_mutex_lock(&storage->lock);
  struct heddle_mapping **at = &storage->mappings;
  while (*at) {
    struct heddle_mapping *mapping = *at;
    if (mapping->memory == memory) {
      *at = mapping->next;
      free(mapping);
    } else {
      at = &mapping->next;
    }
  }
  pthread_mutex_unlock(&storage->lock);
}

void heddle_memory_release(cl_mem memory) {
  const bool is_shared = memory->shared;
  if (!heddle_object_release(memory)) {
    if (is_shared)
      heddle_shared_let_go();
    return;
  }
  cl_context context = memory->context;
  heddle_callbacks_run(memory->destructors, memory);
  forget_mappings(memory);
  heddle_image_end(memory);
  heddle_shared_end(memory);
  if (memory->parent)
    heddle_memory_release(memory->parent);
  else
    storage_destroy(context, memory->storage);
  free(memory);
  heddle_context_release(context);
}

uint32_t heddle_memory_address(cl_mem memory, cl_device_id device) {
  return memory->storage->addresses[heddle_context_root(memory->context, device)] + (uint32_t)memory->origin;
}

cl_mem heddle_memory_root(cl_mem memory) {
  while (memory->parent)
    memory = memory->parent;
  return memory;
}

static size_t root_size(cl_mem memory) {
  return heddle_memory_root(memory)->size;
}

// Device to device, through the host. Only one device is entered at a time.
static int move_between(cl_device_id from, uint32_t from_address, cl_device_id to, uint32_t to_address, size_t size) {
  char *piece = malloc(BYTES_A_MOVE);
  int result = piece ? 0 : -ENOMEM;
  for (size_t done = 0; done < size && result == 0; done += BYTES_A_MOVE) {
    const size_t bytes = size - done < BYTES_A_MOVE ? size - done : BYTES_A_MOVE;
    result = heddle_device_read(from->driver, from_address + (uint32_t)done, piece, bytes);
    if (result == 0)
      result = heddle_device_write(to->driver, to_address + (uint32_t)done, piece, bytes);
  }
  free(piece);
  return result;
}

// Brings the whole buffer to root `to` of the context. The storage's lock is held.
static int bring(cl_context context, struct heddle_storage *storage, int to, size_t size) {
  struct heddle_device *driver = context->roots[to]->driver;
  const bool has_start = storage->start_bytes != 0 && storage->start_bytes < size;
  if (storage->valid == 0 || has_start) {
    const int result = heddle_device_wipe(driver, storage->addresses[to], (uint32_t)size);
    if (result != 0 || storage->valid == 0)
      return result;
  }
  if ((storage->valid & HEDDLE_VALID_ON_HOST) != 0)
    return heddle_device_write(context->roots[to]->driver, storage->addresses[to], storage->host,
                               storage->start_bytes ? storage->start_bytes : size);
  int from = 0;
  while ((storage->valid >> from & 1) == 0)
    from++;
  return move_between(context->roots[from], storage->addresses[from], context->roots[to], storage->addresses[to], size);
}

int heddle_memory_prepare(cl_mem memory, cl_device_id device, enum heddle_use use) {
  struct heddle_storage *storage = memory->storage;
  const int place = heddle_context_root(memory->context, device);
  const uint64_t here = UINT64_C(1) << place;
  const bool replaced = use == HEDDLE_OVERWRITES && memory->size == root_size(memory);
  int result = 0;
  pthread_mutex_lock(&storage->lock);
  if ((storage->valid & here) == 0 && !replaced)
    result = bring(memory->context, storage, place, root_size(memory));
  if (result == 0)
    storage->valid = use == HEDDLE_READS ? storage->valid | here : here;
  pthread_mutex_unlock(&storage->lock);
  return result;
}

static bool is_for_writing(cl_map_flags flags) {
  return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}

// Whether a part of it is mapped for writing. The storage's lock is held.
static bool is_mapped_for_writing(const struct heddle_storage *storage, const struct heddle_mapping *mapping) {
  for (const struct heddle_mapping *at = storage->mappings; at; at = at->next)
    if (is_for_writing(at->flags) && heddle_mappings_overlap(at, mapping))
      return true;
  return false;
}

// The storage's lock is held.
static cl_int note_mapping(cl_mem memory, struct heddle_mapping *mapping) {
  struct heddle_storage *storage = memory->storage;
  if (is_for_writing(mapping->flags) && is_mapped_for_writing(storage, mapping))
    return CL_INVALID_OPERATION;
  if (!storage->host) {
    storage->host = host_copy(root_size(memory));
    storage->host_owned = storage->host;
  }
  if (!storage->host)
    return CL_MAP_FAILURE;
  mapping->next = storage->mappings;
  storage->mappings = mapping;
  atomic_fetch_add(&memory->map_count, 1);
  return CL_SUCCESS;
}

bool heddle_map_flags_valid(cl_map_flags flags) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if ((flags & ~known) != 0)
    return false;
  return (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0;
}

bool heddle_map_allowed(cl_mem memory, cl_map_flags flags) {
  if ((flags & CL_MAP_READ) != 0 && (memory->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0)
    return false;
  return !is_for_writing(flags) || (memory->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}

cl_int heddle_memory_map(cl_mem memory, const struct heddle_mapping *wanted, void **pointer) {
  struct heddle_storage *storage = memory->storage;
  struct heddle_mapping *mapping = malloc(sizeof *mapping);
  *pointer = NULL;
  if (!mapping)
    return CL_MAP_FAILURE;
  *mapping = *wanted;
  mapping->memory = memory;
  mapping->offset += memory->origin;
  pthread_mutex_lock(&storage->lock);
  const cl_int error = note_mapping(memory, mapping);
  if (error == CL_SUCCESS)
    *pointer = storage->host + mapping->offset;
  pthread_mutex_unlock(&storage->lock);
  if (error != CL_SUCCESS)
    free(mapping);
  return error;
}

bool heddle_memory_unmap(cl_mem memory, const void *pointer, struct heddle_mapping *undone) {
  struct heddle_storage *storage = memory->storage;
  pthread_mutex_lock(&storage->lock);
  struct heddle_mapping **at = &storage->mappings;
  while (*at && ((*at)->memory != memory || storage->host + (*at)->offset != (const char *)pointer))
    at = &(*at)->next;
  struct heddle_mapping *mapping = *at;
  if (mapping) {
    *at = mapping->next;
    *undone = *mapping;
    atomic_fetch_sub(&memory->map_count, 1);
  }
  pthread_mutex_unlock(&storage->lock);
  free(mapping);
  return mapping;
}

cl_int heddle_check_queue_memory(cl_command_queue queue, cl_mem memory) {
  if (!heddle_is_memory(memory))
    return CL_INVALID_MEM_OBJECT;
  return memory->context == queue->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int heddle_check_queue_buffer(cl_command_queue queue, cl_mem buffer) {
  return heddle_is_buffer(buffer) ? heddle_check_queue_memory(queue, buffer) : CL_INVALID_MEM_OBJECT;
}

bool heddle_range_inside(cl_mem memory, size_t offset, size_t size) {
  return offset <= memory->size && size <= memory->size - offset;
}
