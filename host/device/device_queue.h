// SPDX-License-Identifier: Apache-2.0
// A device queue (contract/DEVICE.md, "The device queue"): the memory that the kernel of one dispatch, and those that
// it and they enqueue, leave commands and events in. The device runs what is in it; here it is only made.
//
// Threads: any, for queues of their own. Errors: 0 or a negative errno, as driver.h has them.
#ifndef HEDDLE_DEVICE_QUEUE_H
#define HEDDLE_DEVICE_QUEUE_H

#include "contract/device_map.h"
#include "host/device/driver.h"
#include "host/device/kernel_file.h"

enum {
  HEDDLE_QUEUE_SIZE_PREFERRED = 64 << 10,  // bytes of commands; the least takes 256
  HEDDLE_QUEUE_EVENTS_MOST = 1024,         // that are not released
};

// Bytes of commands that a queue may have at most: HEDDLE_QUEUE_SIZE_MOST, which takes 4,096 of the least, or a
// sixteenth of a small device's memory.
uint32_t heddle_queue_size_most(const struct heddle_capabilities *capability);

// What a kernel is told of the blocks it can name; as many as the file has.
struct heddle_block_limits {
  uint32_t work_group_size, sub_group_size;
};

struct heddle_device_queue_setup {
  const struct heddle_kernel_file *file;
  uint32_t base;  // where the file's image is on the device
  const struct heddle_block_limits *blocks;
  uint32_t units;   // that the kernels may run on
  uint8_t rights;   // of the kernels to the queue
  uint32_t size;    // bytes of commands; 0: there is no queue, only events and blocks to ask about
  bool is_default;  // what get_default_queue() gives
  bool uniform;     // work-groups have to be of one size
};

// Its address: what a dispatch takes, and what a queue_t is. -EINVAL: a block whose arguments are not a block's.
int heddle_device_queue_open(struct heddle_device *device, const struct heddle_device_queue_setup *setup,
                             uint32_t *address);

// When the dispatch has ended. Address 0 is allowed.
void heddle_device_queue_close(struct heddle_device *device, uint32_t address);

#endif
