// SPDX-License-Identifier: Apache-2.0
// Memory that host and devices have at the same address (shared.h).
#include "host/cl/shared.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/cl/channel_waits.h"
#include "host/cl/kernel.h"

enum { PAGE = 4096 };

// Bytes that are compared at once, and bytes between two changes that are moved with them.
enum { COMPARED_AT_ONCE = 256, GAP = 64 };

// ---- The list of all, by address

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_mem *all;
static size_t num_all, room;

void heddle_shared_forked(void) {
  pthread_mutex_init(&lock, NULL);
}

// The number of those that begin at or before the pointer.
static size_t count_before(const char *pointer) {
  size_t low = 0, high = num_all;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if ((uintptr_t)all[middle]->shared->start <= (uintptr_t)pointer)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool add(cl_mem memory) {
  pthread_mutex_lock(&lock);
  if (num_all == room) {
    const size_t wanted = room ? 2 * room : 16;
    cl_mem *longer = realloc(all, wanted * sizeof *longer);
    if (longer) {
      all = longer;
      room = wanted;
    }
  }
  const bool has_room = num_all < room;
  if (has_room) {
    const size_t place = count_before(memory->shared->start);
    memmove(&all[place + 1], &all[place], (num_all - place) * sizeof *all);
    all[place] = memory;
    num_all++;
  }
  pthread_mutex_unlock(&lock);
  return has_room;
}

bool heddle_shared_free(cl_context context, const void *pointer, unsigned kinds) {
  cl_mem found = NULL;
  pthread_mutex_lock(&lock);
  const size_t place = count_before(pointer);
  if (place != 0 && all[place - 1]->shared->start == pointer && all[place - 1]->context == context &&
      (kinds >> all[place - 1]->shared->kind & 1) != 0) {
    found = all[place - 1];
    memmove(&all[place - 1], &all[place], (num_all - place) * sizeof *all);
    num_all--;
  }
  pthread_mutex_unlock(&lock);
  if (found)
    heddle_memory_release(found);
  return found;
}

bool heddle_shared_find(cl_context context, const void *pointer, size_t bytes, struct heddle_shared_place *place) {
  *place = (struct heddle_shared_place){0};
  bool inside = true;
  pthread_mutex_lock(&lock);
  const size_t before = count_before(pointer);
  cl_mem memory = before != 0 ? all[before - 1] : NULL;
  const size_t offset = memory ? (size_t)((const char *)pointer - memory->shared->start) : 0;
  uintptr_t end;
  if (__builtin_add_overflow((uintptr_t)pointer, bytes, &end)) {
    inside = false;  // nobody has memory there
  } else if (memory && memory->context == context && offset < memory->size) {
    inside = bytes <= memory->size - offset;
    if (inside) {
      heddle_object_retain(memory);
      *place = (struct heddle_shared_place){.memory = memory, .offset = offset};
    }
  }
  pthread_mutex_unlock(&lock);
  return inside;
}

// Threads in heddle_shared_wait.
static atomic_uint num_waiting;

void heddle_shared_wait(cl_mem memory) {
  atomic_fetch_add(&num_waiting, 1);
  while (heddle_object_references(memory) > 1 + memory->shared->resting)
    heddle_channels_wait();
  atomic_fetch_sub(&num_waiting, 1);
}

void heddle_shared_let_go(void) {
  if (atomic_load(&num_waiting) == 0)
    return;
  pthread_mutex_lock(&heddle_lock);
  pthread_cond_broadcast(&heddle_changed);
  pthread_mutex_unlock(&heddle_lock);
}

void heddle_shared_leave(const struct heddle_shared_place *place) {
  if (place->memory)
    heddle_memory_release(place->memory);
}

bool heddle_shared_is_hidden(cl_context context, const void *pointer) {
  struct heddle_shared_place place;
  heddle_shared_find(context, pointer, 1, &place);
  const bool is_hidden = place.memory && place.memory->shared->kind == HEDDLE_USM_DEVICE;
  heddle_shared_leave(&place);
  return is_hidden;
}

cl_int heddle_shared_list(cl_context context, unsigned kinds, cl_mem **memories, cl_uint *count) {
  *count = 0;
  *memories = NULL;
  if (kinds == 0)
    return CL_SUCCESS;
  pthread_mutex_lock(&lock);
  *memories = malloc((num_all + 1) * sizeof **memories);
  for (size_t i = 0; i < num_all && *memories; i++) {
    if (all[i]->context != context || (kinds >> all[i]->shared->kind & 1) == 0)
      continue;
    heddle_object_retain(all[i]);
    (*memories)[(*count)++] = all[i];
  }
  pthread_mutex_unlock(&lock);
  return *memories ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

// ---- Allocating

bool heddle_shared_alignment_valid(cl_uint alignment) {
  return (alignment & (alignment - 1)) == 0 && alignment <= HEDDLE_SHARED_ALIGNMENT;
}

// Pages of the host at an address that nothing else has. NULL: there is something.
static char *map_at(uint32_t address, size_t bytes, int protection) {
  void *wanted = (void *)(uintptr_t)address;  // NOLINT(performance-no-int-to-ptr): an address of the device
  void *mapped =
      mmap(wanted, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == MAP_FAILED)
    return NULL;
  if (mapped == wanted)
    return mapped;
  munmap(mapped, bytes);  // an old kernel took the address for a hint
  return NULL;
}

// Gives back what the first `count` roots have at an address.
static void give(cl_context context, cl_uint count, uint32_t address) {
  for (cl_uint i = 0; i < count; i++)
    heddle_device_free(context->roots[i]->driver, address);
}

// The lowest address from *address on that is free on all roots, which is taken there. 0 or -ENOMEM.
static int take_on_roots(cl_context context, uint32_t bytes, uint32_t *address) {
  cl_uint taken = 0;
  while (taken < context->num_roots) {
    const uint8_t rights = heddle_context_rights(context, taken, true);
    uint32_t found;
    if (heddle_device_allocate_from(context->roots[taken]->driver, rights, bytes, PAGE, *address, &found) != 0) {
      give(context, taken, *address);
      return -ENOMEM;
    }
    if (found != *address) {  // the roots before this one have to follow
      give(context, taken, *address);
      heddle_device_free(context->roots[taken]->driver, found);
      *address = found;
      taken = 0;
    } else {
      taken++;
    }
  }
  return 0;
}

// An address that is free everywhere. Where the host has something, the next one is tried, further on each time.
static char *take_everywhere(cl_context context, size_t bytes, int protection, cl_int *error) {
  uint32_t address = PAGE, step = PAGE;
  for (cl_uint i = 0; i < context->num_roots; i++)
    if (!heddle_open(context->roots[i])) {
      *error = CL_OUT_OF_RESOURCES;
      return NULL;
    }
  *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  while (take_on_roots(context, (uint32_t)bytes, &address) == 0) {
    char *start = map_at(address, bytes, protection);
    if (start)
      return start;
    give(context, context->num_roots, address);
    *error = CL_OUT_OF_RESOURCES;
    if (__builtin_add_overflow(address, step, &address))
      break;
    step *= 2;
  }
  return NULL;
}

void *heddle_shared_allocate(cl_context context, cl_mem_flags flags, const struct heddle_shared *wanted, size_t bytes,
                             cl_int *error) {
  const bool is_moved = wanted->kind == HEDDLE_USM_HOST || wanted->kind == HEDDLE_USM_SHARED;
  const bool is_hidden = wanted->kind == HEDDLE_USM_DEVICE;
  const size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
  struct heddle_shared *shared = malloc(sizeof *shared);
  char *agreed = is_moved ? calloc(1, bytes) : NULL;
  cl_mem memory = NULL;
  *error = CL_OUT_OF_HOST_MEMORY;
  char *start = shared && (agreed || !is_moved)
                    ? take_everywhere(context, pages, is_hidden ? PROT_NONE : PROT_READ | PROT_WRITE, error)
                    : NULL;
  if (start) {
    *error = CL_OUT_OF_HOST_MEMORY;
    memory = heddle_memory_create_at(context, flags, bytes, (uint32_t)(uintptr_t)start, is_hidden ? NULL : start,
                                     !is_hidden);
  }
  if (!memory) {
    if (start) {
      munmap(start, pages);
      give(context, context->num_roots, (uint32_t)(uintptr_t)start);
    }
    free(agreed);
    free(shared);
    return NULL;
  }
  *shared = *wanted;
  shared->start = start;
  shared->mapped_bytes = pages;
  shared->agreed = agreed;
  memory->shared = shared;
  if (!add(memory)) {
    heddle_memory_release(memory);
    return NULL;
  }
  *error = CL_SUCCESS;
  return start;
}

void heddle_shared_end(cl_mem memory) {
  if (!memory->shared)
    return;
  munmap(memory->shared->start, memory->shared->mapped_bytes);
  free(memory->shared->agreed);
  free(memory->shared);
}

// ---- What commands use

// An end of a transfer at a pointer. Memory that kernels move is the host's between them.
static bool find_end(cl_context context, const void *pointer, size_t bytes, struct heddle_end *end,
                     struct heddle_shared_place *place) {
  *end = (struct heddle_end){0};
  if (!heddle_shared_find(context, pointer, bytes, place))
    return false;
  if (place->memory && !place->memory->shared->agreed) {
    end->memory = place->memory;
    end->offset = place->offset;
  } else {
    end->host = (char *)(uintptr_t)pointer;
  }
  return true;
}

static bool ranges_meet(const void *one, const void *other, size_t bytes) {
  const uintptr_t a = (uintptr_t)one, b = (uintptr_t)other;
  return a < b ? b - a < bytes : a - b < bytes;
}

cl_int heddle_shared_copy(cl_command_queue queue, cl_command_type type, bool blocking, void *to, const void *from,
                          size_t bytes, cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct heddle_shared_place source = {0}, target = {0};
  struct heddle_end source_end, target_end;
  cl_int error = to && from ? heddle_check_wait_list(queue->context, num_waits, waits) : CL_INVALID_VALUE;
  if (error == CL_SUCCESS && ranges_meet(to, from, bytes))
    error = CL_MEM_COPY_OVERLAP;
  if (error == CL_SUCCESS && (!find_end(queue->context, from, bytes, &source_end, &source) ||
                              !find_end(queue->context, to, bytes, &target_end, &target)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_transfer(queue, type, &source_end, &target_end, (struct heddle_box){bytes, 1, 1}, blocking,
                            num_waits, waits, event);
  heddle_shared_leave(&source);
  heddle_shared_leave(&target);
  return error;
}

static bool pattern_fits(const void *to, const struct heddle_pattern *pattern, size_t bytes) {
  const size_t size = pattern->size;
  return pattern->bytes && size != 0 && size <= HEDDLE_FILL_PATTERN_MOST && (size & (size - 1)) == 0 &&
         (uintptr_t)to % size == 0 && bytes % size == 0;
}

cl_int heddle_shared_fill(cl_command_queue queue, cl_command_type type, void *to, const struct heddle_pattern *pattern,
                          size_t bytes, cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct heddle_shared_place target = {0};
  struct heddle_end end;
  if (!to || !pattern_fits(to, pattern, bytes))
    return CL_INVALID_VALUE;
  cl_int error = heddle_check_wait_list(queue->context, num_waits, waits);
  if (error == CL_SUCCESS && !find_end(queue->context, to, bytes, &end, &target))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = heddle_fill(queue, type, &end, (struct heddle_box){bytes, 1, 1}, pattern, num_waits, waits, event);
  heddle_shared_leave(&target);
  return error;
}

cl_int heddle_shared_set_argument(cl_kernel kernel, cl_uint index, const void *pointer, unsigned kinds) {
  if (!heddle_is_kernel(kernel))
    return CL_INVALID_KERNEL;
  if (index >= heddle_kernel_num_arguments(kernel))
    return CL_INVALID_ARG_INDEX;
  const struct heddle_argument *argument = &kernel->description->arguments[index];
  struct heddle_kernel_argument *given = &kernel->arguments[index];
  struct heddle_shared_place place;
  if (!heddle_argument_is_memory(argument) || heddle_argument_is_pipe(argument) || heddle_argument_is_image(argument))
    return CL_INVALID_ARG_VALUE;
  heddle_shared_find(kernel->program->context, pointer, 1, &place);
  const bool fits = place.memory ? (kinds >> place.memory->shared->kind & 1) != 0 : !pointer;
  if (fits) {
    given->memory = place.memory;
    given->offset = place.offset;
    given->size = sizeof pointer;
    given->set = true;
  }
  heddle_shared_leave(&place);
  return fits ? CL_SUCCESS : CL_INVALID_ARG_VALUE;
}

// ---- What kernels move

// The next run of bytes from *at on in which two memories differ; false: there is none. Changes that are less than
// `gap` apart are one run.
static bool next_change(const char *one, const char *other, size_t bytes, size_t gap, size_t *at, size_t *end) {
  size_t i = *at;
  while (i < bytes) {
    const size_t block = bytes - i < COMPARED_AT_ONCE ? bytes - i : COMPARED_AT_ONCE;
    if (memcmp(one + i, other + i, block) != 0)
      break;
    i += block;
  }
  while (i < bytes && one[i] == other[i])
    i++;
  if (i >= bytes)
    return false;
  *at = i;
  *end = i + 1;
  for (i++; i < bytes && i - *end < gap; i++)
    if (one[i] != other[i])
      *end = i + 1;
  return true;
}

// The storage's lock is held.
static int push_changes(cl_mem memory, struct heddle_device *driver) {
  const struct heddle_shared *shared = memory->shared;
  const uint32_t address = (uint32_t)(uintptr_t)shared->start;
  int result = 0;
  for (size_t at = 0, end; result == 0 && next_change(shared->start, shared->agreed, memory->size, GAP, &at, &end);
       at = end) {
    memcpy(shared->agreed + at, shared->start + at, end - at);
    result = heddle_device_write(driver, address + (uint32_t)at, shared->agreed + at, end - at);
  }
  return result;
}

int heddle_shared_push(cl_mem memory, cl_device_id device) {
  const struct heddle_shared *shared = memory->shared;
  if (!shared || !shared->agreed)
    return 0;
  struct heddle_storage *storage = memory->storage;
  const uint64_t here = UINT64_C(1) << heddle_context_root(memory->context, device);
  int result = 0;
  pthread_mutex_lock(&storage->lock);
  if ((storage->valid & here) != 0) {
    result = push_changes(memory, device->root->driver);
  } else {
    memcpy(shared->agreed, shared->start, memory->size);
    result =
        heddle_device_write(device->root->driver, (uint32_t)(uintptr_t)shared->start, shared->agreed, memory->size);
  }
  if (result == 0)
    storage->valid = here | HEDDLE_VALID_ON_HOST;
  pthread_mutex_unlock(&storage->lock);
  return result;
}

int heddle_shared_pull(cl_mem memory, cl_device_id device) {
  const struct heddle_shared *shared = memory->shared;
  if (!shared || !shared->agreed)
    return 0;
  char *now = malloc(memory->size);
  if (!now)
    return -ENOMEM;
  pthread_mutex_lock(&memory->storage->lock);
  const int result = heddle_device_read(device->root->driver, (uint32_t)(uintptr_t)shared->start, now, memory->size);
  for (size_t at = 0, end; result == 0 && next_change(now, shared->agreed, memory->size, 1, &at, &end); at = end) {
    memcpy(shared->start + at, now + at, end - at);
    memcpy(shared->agreed + at, now + at, end - at);
  }
  memory->storage->valid |= HEDDLE_VALID_ON_HOST;
  pthread_mutex_unlock(&memory->storage->lock);
  free(now);
  return result;
}
