// SPDX-License-Identifier: Apache-2.0
// A device for tests of the host side: the registers and memory of contract/DEVICE.md, and work-groups that do nothing
// but be counted. It stands in for the golden model (heddle_model_api), so that the whole library runs on it. The first
// word at the kernel's entry tells it what to do.
#ifndef HEDDLE_TESTS_FAKE_DEVICE_H
#define HEDDLE_TESTS_FAKE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "contract/sim.h"

// Words at the entry. Anything else: each work-group takes one cycle.
#define FAKE_FAULT 0xFA000000u    // + reason: work-group 0 faults, sub-group 1, lane 2, PC at the entry, address 0x123
#define FAKE_FOREVER 0xFE000000u  // never ends by itself
enum {
  FAKE_LANES = 4,
  FAKE_SLOTS = 8,
  FAKE_GLOBAL_BYTES = 4 << 20,
  FAKE_LOCAL_BYTES = 4096,
  FAKE_LINE_BYTES = 32,
  FAKE_CACHE_BYTES = 2048,
  FAKE_MEMORY_LATENCY = 30,
  FAKE_MEMORY_INTERVAL = 3,
  FAKE_MEMORY_CHANNELS = 2,
  FAKE_CLOCK_KHZ = 50000
};

// What the next dispatch leaves in memory, beside what was said before. The data stays the caller's.
void fake_device_leave(uint32_t address, const void *data, size_t bytes);

// The next device to be made reports this value in a register instead of the right one (offset 0: none).
void fake_device_lie(uint32_t offset, uint32_t value);

#endif
