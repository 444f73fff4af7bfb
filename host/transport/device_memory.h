// SPDX-License-Identifier: Apache-2.0
// Memory of a device, mapped into this process. When the device is pulled out, the kernel removes the mapping, and an
// access raises SIGBUS; so does an access that the bus answers with an error. Memory mapped here reads all ones from
// then on, as on the bus, and the program gets no signal.
#ifndef HEDDLE_DEVICE_MEMORY_H
#define HEDDLE_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Maps memory for reading and writing. NULL: it cannot be mapped, errno says why. The first call installs a handler of
// SIGBUS, which passes signals that are not about such memory to the handler that was there before. Thread-safe.
volatile void *heddle_device_memory_map(int descriptor, off_t offset, size_t bytes);

// Whether an access has found that it is no longer there. Thread-safe.
bool heddle_device_memory_is_gone(const volatile void *memory);

void heddle_device_memory_unmap(volatile void *memory, size_t bytes);

#endif
