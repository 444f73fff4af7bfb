// SPDX-License-Identifier: Apache-2.0
// Memory of a card, mapped into this process: when the card goes the kernel takes the mapping away, and whoever touches
// it gets SIGBUS. Here such memory reads all ones from then on, as it does on the bus, and nobody gets the signal.
#ifndef HEDDLE_DEVICE_MEMORY_H
#define HEDDLE_DEVICE_MEMORY_H

#include <stddef.h>
#include <sys/types.h>

// Maps it for reading and writing; NULL: it cannot be, errno says why. The first call puts a handler of SIGBUS in front
// of the program's, which gets every signal that is not about such memory. Thread-safe.
volatile void *heddle_device_memory_map(int descriptor, off_t offset, size_t bytes);
void heddle_device_memory_unmap(volatile void *memory, size_t bytes);

#endif
