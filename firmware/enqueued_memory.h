// SPDX-License-Identifier: Apache-2.0
// How the reader of device queues (contract/enqueued.h) reaches memory and the clock on the command processor: by loads
// and stores, which are to be inline. firmware/build.mk puts this file before the first line of contract/enqueued.c.
#ifndef HEDDLE_FIRMWARE_ENQUEUED_MEMORY_H
#define HEDDLE_FIRMWARE_ENQUEUED_MEMORY_H

#include "firmware/device.h"

#define HEDDLE_ENQUEUED_INLINE

struct heddle_device;  // there is only this one: the pointer is NULL

static inline uint32_t heddle_enqueued_load(struct heddle_device *device, uint32_t address) {
  (void)device;
  return *words_at(address);
}

static inline void heddle_enqueued_store(struct heddle_device *device, uint32_t address, uint32_t value) {
  (void)device;
  *words_at(address) = value;
}

static inline uint64_t heddle_enqueued_clock(struct heddle_device *device) {
  (void)device;
  return clock_now();
}

#endif
