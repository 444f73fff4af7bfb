// SPDX-License-Identifier: Apache-2.0
// Mappings that outlive what they map (device_memory.h). Called by pcie_sysfs.c, pcie_vfio.c and mmio.c.
#include "host/transport/device_memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_MAPPINGS = 64 };

// What is larger is replaced page by page, as it is touched: there is not memory for all of it.
enum { LARGEST_WHOLE = 1 << 20 };

// Read by the handler at any time: a place is in use while its size is not 0.
static struct {
  atomic_uintptr_t start;
  atomic_size_t bytes;
  atomic_bool gone;
} mappings[MOST_MAPPINGS];

static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static bool installed;
static uintptr_t page_bytes;
static struct sigaction program;  // what the program wants of SIGBUS

// Puts pages of ones where the device was. mmap is a bare system call.
static bool replace(uintptr_t address) {
  for (size_t i = 0; i < MOST_MAPPINGS; i++) {
    const size_t bytes = atomic_load(&mappings[i].bytes);
    const uintptr_t start = atomic_load(&mappings[i].start);
    if (bytes == 0 || address < start || address - start >= bytes)
      continue;
    const bool is_whole = bytes <= LARGEST_WHOLE;
    const size_t replaced = is_whole ? bytes : page_bytes;
    // The address is one of a mapping: an integer made a pointer again.
    void *memory = (void *)(is_whole ? start : address & ~(page_bytes - 1));  // NOLINT(performance-no-int-to-ptr)
    atomic_store(&mappings[i].gone, true);
    if (mmap(memory, replaced, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != memory)
      return false;
    memset(memory, 0xFF, replaced);
    return true;
  }
  return false;
}

static void on_signal(int number, siginfo_t *info, void *context) {
  const int kept = errno;
  const bool ours = info->si_code > 0 && replace((uintptr_t)info->si_addr);
  errno = kept;
  if (ours)
    return;
  if ((program.sa_flags & SA_SIGINFO) != 0)
    program.sa_sigaction(number, info, context);
  else if (program.sa_handler != SIG_DFL && program.sa_handler != SIG_IGN)
    program.sa_handler(number);
  else
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);  // it happens again, and ends the program
}

volatile void *heddle_device_memory_map(int descriptor, off_t offset, size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
  bool kept = false;
  if (memory == MAP_FAILED)
    return NULL;
  pthread_mutex_lock(&changing);
  for (size_t i = 0; i < MOST_MAPPINGS && !kept; i++) {
    if (atomic_load(&mappings[i].bytes) != 0)
      continue;
    atomic_store(&mappings[i].gone, false);
    atomic_store(&mappings[i].start, (uintptr_t)memory);
    atomic_store(&mappings[i].bytes, bytes);
    kept = true;
  }
  if (kept && !installed) {
    struct sigaction ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigemptyset(&ours.sa_mask);
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    installed = sigaction(SIGBUS, &ours, &program) == 0;
  }
  pthread_mutex_unlock(&changing);
  if (kept)
    return memory;
  munmap(memory, bytes);
  errno = ENOMEM;
  return NULL;
}

bool heddle_device_memory_is_gone(const volatile void *memory) {
  bool gone = false;
  for (size_t i = 0; i < MOST_MAPPINGS; i++)
    if (atomic_load(&mappings[i].bytes) != 0 && atomic_load(&mappings[i].start) == (uintptr_t)memory)
      gone = atomic_load(&mappings[i].gone);
  return gone;
}

void heddle_device_memory_unmap(volatile void *memory, size_t bytes) {
  pthread_mutex_lock(&changing);
  for (size_t i = 0; i < MOST_MAPPINGS; i++)
    if (atomic_load(&mappings[i].start) == (uintptr_t)memory)
      atomic_store(&mappings[i].bytes, 0);
  pthread_mutex_unlock(&changing);
  munmap((void *)(uintptr_t)memory, bytes);  // NOLINT(performance-no-int-to-ptr): away with volatile
}
