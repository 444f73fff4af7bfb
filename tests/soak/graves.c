// SPDX-License-Identifier: Apache-2.0
// Graves: memory of released objects that is never used again. The library's free() comes here (the linker's --wrap);
// for a handle with a grave the memory stays, poisoned where AddressSanitizer looks on, so that no other object can get
// its address and a call with the stale handle has one right answer.
#include <malloc.h>
#include <stdlib.h>

#include "tests/soak/soak.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { GRAVES = 1 << 15 };

// Open addressing; graves are never given up.
static struct {
  void *_Atomic handle;
  atomic_bool buried;
} graves[GRAVES];

void __real_free(void *memory);
void __wrap_free(void *memory);

static size_t first_place(const void *handle) {
  return (size_t)((uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15) >> 32) % GRAVES;
}

// Its place, or GRAVES.
static size_t find(void *handle) {
  size_t i = first_place(handle);
  void *there;
  while ((there = atomic_load(&graves[i].handle))) {
    if (there == handle)
      return i;
    i = (i + 1) % GRAVES;
  }
  return GRAVES;
}

void dig_grave(void *handle) {
  static atomic_uint count;
  if (atomic_fetch_add(&count, 1) >= GRAVES / 2)
    return;
  for (size_t i = first_place(handle);; i = (i + 1) % GRAVES) {
    void *none = NULL;
    if (atomic_compare_exchange_strong(&graves[i].handle, &none, handle))
      return;
  }
}

bool is_buried(void *handle) {
  const size_t i = find(handle);
  return i != GRAVES && atomic_load(&graves[i].buried);
}

void __wrap_free(void *memory) {
  const size_t i = memory ? find(memory) : GRAVES;
  if (i == GRAVES) {
    __real_free(memory);
    return;
  }
  ASAN_POISON_MEMORY_REGION(memory, malloc_usable_size(memory));
  atomic_store(&graves[i].buried, true);
}
