// SPDX-License-Identifier: Apache-2.0
// Making device queues (device_queue.h).
#include "host/device/device_queue.h"

#include <errno.h>
#include <stdlib.h>

enum {
  HEADER_BYTES = HEDDLE_QUEUE_HEADER_WORDS * 4,
  BLOCK_BYTES = HEDDLE_BLOCK_WORDS * 4,
  EVENT_BYTES = HEDDLE_EVENT_WORDS * 4,
};

// Kernels lay out a block's argument block themselves: pointers, one behind the other.
static bool has_pointers_only(const struct heddle_kernel *block) {
  for (uint32_t i = 0; i < block->num_arguments; i++)
    if (block->arguments[i].offset != 4 * i || block->arguments[i].size != 4)
      return false;
  return block->num_arguments != 0;
}

uint32_t heddle_queue_size_most(const struct heddle_capabilities *capability) {
  uint32_t most = HEDDLE_QUEUE_SIZE_MOST;
  while (most > capability->global_bytes / 16 && most > HEDDLE_QUEUE_SIZE_PREFERRED)
    most /= 2;
  return most;
}

static uint32_t cycle_of(const struct heddle_capabilities *capability) {
  const uint64_t cycle = (UINT64_C(1000000) << HEDDLE_QUEUE_CYCLE_LOG2) / capability->clock_khz;
  return cycle < UINT32_MAX ? (uint32_t)cycle : UINT32_MAX;
}

// Header, blocks, and events that are free.
static int write_all(struct heddle_device *device, const struct heddle_device_queue_setup *setup, uint32_t address,
                     uint32_t events, uint32_t commands, uint32_t size) {
  const struct heddle_capabilities *capability = heddle_device_capability(device);
  const size_t bytes = commands - address;
  uint32_t *words = calloc(1, bytes);
  if (!words)
    return -ENOMEM;
  words[HEDDLE_QUEUE_LIMIT] = size;
  words[HEDDLE_QUEUE_DEFAULT] = setup->is_default ? address : 0;
  words[HEDDLE_QUEUE_COMMANDS] = commands;
  words[HEDDLE_QUEUE_EVENTS] = events;
  words[HEDDLE_QUEUE_BLOCKS] = address + HEADER_BYTES;
  words[HEDDLE_QUEUE_NUM_EVENTS] = HEDDLE_QUEUE_EVENTS_MOST;
  words[HEDDLE_QUEUE_NUM_BLOCKS] = setup->file->num_blocks;
  words[HEDDLE_QUEUE_LOCAL_MEMORY] = capability->local_memory_bytes;
  words[HEDDLE_QUEUE_SLOTS] = capability->slots;
  words[HEDDLE_QUEUE_UNITS] = setup->units;
  words[HEDDLE_QUEUE_UNIFORM] = setup->uniform;
  words[HEDDLE_QUEUE_SIZE] = size;
  words[HEDDLE_QUEUE_CYCLE] = cycle_of(capability);
  int result = 0;
  for (uint32_t i = 0; i < setup->file->num_blocks; i++) {
    const struct heddle_kernel *block = heddle_kernel_file_block(setup->file, i + 1);
    uint32_t *to = words + HEDDLE_QUEUE_HEADER_WORDS + (size_t)i * HEDDLE_BLOCK_WORDS;
    to[HEDDLE_BLOCK_WORK_GROUP_SIZE] = setup->blocks[i].work_group_size;
    to[HEDDLE_BLOCK_SUB_GROUP_SIZE] = setup->blocks[i].sub_group_size;
    to[HEDDLE_BLOCK_LOCAL_BYTES] = block->local_bytes;
    to[HEDDLE_BLOCK_ENTRY] = setup->base + block->entry;
    if (!has_pointers_only(block))
      result = -EINVAL;
  }
  if (result == 0)
    result = heddle_device_write(device, address, words, bytes);
  free(words);
  return result;
}

int heddle_device_queue_open(struct heddle_device *device, const struct heddle_device_queue_setup *setup,
                             uint32_t *address) {
  const uint64_t aligned = HEDDLE_QUEUE_ALIGNMENT - 1u;
  const uint32_t size = setup->size & ~(uint32_t)aligned;
  const uint64_t events = HEADER_BYTES + (uint64_t)setup->file->num_blocks * BLOCK_BYTES;
  const uint64_t commands = (events + HEDDLE_QUEUE_EVENTS_MOST * EVENT_BYTES + aligned) & ~aligned;
  const uint64_t bytes = commands + 2 * (uint64_t)size;
  if (size > HEDDLE_QUEUE_SIZE_MOST || bytes > UINT32_MAX)
    return -ENOMEM;
  int result = heddle_device_allocate_for(device, setup->rights, (uint32_t)bytes, HEDDLE_QUEUE_ALIGNMENT, address);
  if (result != 0)
    return result;
  result = write_all(device, setup, *address, *address + (uint32_t)events, *address + (uint32_t)commands, size);
  if (result != 0)
    heddle_device_queue_close(device, *address);
  return result;
}

void heddle_device_queue_close(struct heddle_device *device, uint32_t address) {
  if (address != 0)
    heddle_device_free(device, address);
}
