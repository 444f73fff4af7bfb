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
  struct heddle_region packet;
  struct heddle_region private_memory;
};

// One control register. The caller holds `access`, or nobody else knows the device yet.
int heddle_register_read(struct heddle_device *device, uint32_t offset, uint32_t *value);
int heddle_register_write(struct heddle_device *device, uint32_t offset, uint32_t value);

#endif
