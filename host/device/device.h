// SPDX-License-Identifier: Apache-2.0
// The inside of a device: shared by the files of the driver (driver.h is what others see).
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include <pthread.h>

#include "host/device/allocator.h"
#include "host/device/device_map.h"
#include "host/device/driver.h"

// A piece of global memory the driver keeps for itself between dispatches and replaces by a larger one when needed.
struct heddle_region {
  uint32_t address, bytes;  // bytes 0: none yet
};

struct heddle_device {
  struct heddle_link link;
  struct heddle_capabilities capability;
  struct heddle_allocator *allocator;

  pthread_mutex_t access;  // guards the link and the regions
  struct heddle_region dispatch;
  struct heddle_region private_memory;
  struct heddle_region printf_buffer;
  uint32_t printf_used;  // bytes of its records that are not zero
};

// One control register. The caller holds `access`, or nobody else knows the device yet.
int heddle_register_read(struct heddle_device *device, uint32_t offset, uint32_t *value);
int heddle_register_write(struct heddle_device *device, uint32_t offset, uint32_t value);

// Where a dispatch prints to. Bytes that it takes of each work-item's private memory, 0 where it is elsewhere; an empty
// one, for private memory of 1 << log2 bytes of which the stack needs `stack_bytes`, and the address that the packet
// gives; what a dispatch left in it (*printed is all zeros before). The caller holds `access`.
uint32_t heddle_printf_private_bytes(const struct heddle_device *device);
int heddle_printf_buffer_prepare(struct heddle_device *device, uint32_t log2, uint32_t stack_bytes, uint32_t *address);
int heddle_printf_buffer_read(struct heddle_device *device, uint32_t log2, uint32_t stack_bytes,
                              struct heddle_printed *printed);

#endif
