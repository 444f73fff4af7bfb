// SPDX-License-Identifier: Apache-2.0
// The registry of live handles and what all objects share (object.h).
#include "host/cl/object.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// A hash table with linear probing. Taken slots stay below half, so that a probe ends soon.
struct slot {
  const void *handle;  // NULL: free
  enum heddle_kind kind;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots;
static size_t num_slots, num_taken;

static size_t slot_of(const void *handle) {
  const uint64_t mixed = (uint64_t)(uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(mixed >> 32) & (num_slots - 1);
}

// The slot of a handle, or the free one where it would be. There is a table.
static struct slot *find(const void *handle) {
  size_t i = slot_of(handle);
  while (slots[i].handle && slots[i].handle != handle)
    i = (i + 1) & (num_slots - 1);
  return &slots[i];
}

static bool grow(void) {
  struct slot *old = slots;
  const size_t num_old = num_slots;
  const size_t num_new = num_old ? 2 * num_old : 64;
  struct slot *added = calloc(num_new, sizeof *added);
  if (!added)
    return false;
  slots = added;
  num_slots = num_new;
  for (size_t i = 0; i < num_old; i++)
    if (old[i].handle)
      *find(old[i].handle) = old[i];
  free(old);
  return true;
}

static bool add(const void *handle, enum heddle_kind kind) {
  pthread_mutex_lock(&lock);
  const bool room = 2 * (num_taken + 1) <= num_slots || grow();
  if (room) {
    *find(handle) = (struct slot){handle, kind};
    num_taken++;
  }
  pthread_mutex_unlock(&lock);
  return room;
}

static void take_out(const void *handle) {
  pthread_mutex_lock(&lock);
  struct slot *gone = num_slots ? find(handle) : NULL;
  if (gone && gone->handle) {
    gone->handle = NULL;
    num_taken--;
    // Those behind may have been pushed past the slot that is free now.
    for (size_t i = ((size_t)(gone - slots) + 1) & (num_slots - 1); slots[i].handle; i = (i + 1) & (num_slots - 1)) {
      const struct slot moved = slots[i];
      slots[i].handle = NULL;
      *find(moved.handle) = moved;
    }
  }
  pthread_mutex_unlock(&lock);
}

// At exit the table goes; the priority puts this behind the end of the workers (platform.c).
__attribute__((destructor(102))) static void forget(void) {
  pthread_mutex_lock(&lock);
  free(slots);
  slots = NULL;
  num_slots = num_taken = 0;
  pthread_mutex_unlock(&lock);
}

void heddle_objects_forked(void) {
  pthread_mutex_init(&lock, NULL);
  slots = NULL;  // left: whoever had the lock may have been changing it
  num_slots = num_taken = 0;
}

bool heddle_object_register(struct heddle_object *object, enum heddle_kind kind) {
  object->dispatch = &heddle_dispatch_table;
  object->kind = kind;
  atomic_init(&object->references, 1);
  return add(object, kind);
}

void *heddle_object_create(enum heddle_kind kind, size_t bytes) {
  struct heddle_object *object = calloc(1, bytes);
  if (object && !heddle_object_register(object, kind)) {
    free(object);
    object = NULL;
  }
  return object;
}

bool heddle_object_valid(const void *handle, enum heddle_kind kind) {
  if (!handle)
    return false;
  pthread_mutex_lock(&lock);
  const struct slot *slot = num_slots ? find(handle) : NULL;
  const bool valid = slot && slot->handle && slot->kind == kind;
  pthread_mutex_unlock(&lock);
  return valid;
}

void heddle_object_retain(void *object) {
  atomic_fetch_add(&((struct heddle_object *)object)->references, 1);
}

bool heddle_object_release(void *object) {
  if (atomic_fetch_sub(&((struct heddle_object *)object)->references, 1) != 1)
    return false;
  take_out(object);
  return true;
}

cl_uint heddle_object_references(const void *object) {
  return atomic_load(&((const struct heddle_object *)object)->references);
}

void *heddle_created(cl_int *errcode_ret, cl_int error, void *object) {
  if (errcode_ret)
    *errcode_ret = error;
  return error == CL_SUCCESS ? object : NULL;
}
