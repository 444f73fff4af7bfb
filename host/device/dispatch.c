// SPDX-License-Identifier: Apache-2.0
// Runs one NDRange on a device: private memory, the dispatch, doorbell, wait, figures, fault record.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/device.h"

enum { DEFAULT_PRIVATE_LOG2 = 12, MILLISECONDS_A_REPORT = 50, HOST_PAGE = 4096 };

static uint32_t ceiling_divide(uint32_t value, uint32_t by) {
  return value / by + (value % by != 0);
}

static uint32_t log2_ceiling(uint32_t value) {
  uint32_t log2 = 0;
  while (log2 < 32 && (UINT64_C(1) << log2) < value)
    log2++;
  return log2;
}

uint32_t heddle_private_log2(uint32_t stack_bytes) {
  const uint32_t log2 = log2_ceiling(stack_bytes);
  if (log2 > HEDDLE_PRIVATE_LOG2_MAX)
    return 0;
  return log2 < DEFAULT_PRIVATE_LOG2 ? DEFAULT_PRIVATE_LOG2 : log2;
}

// Makes a region at least `bytes` large. Its contents need not survive.
static int grow(struct heddle_device *device, struct heddle_region *region, uint64_t bytes, uint32_t alignment) {
  if (bytes <= region->bytes)
    return 0;
  if (bytes > device->capability.global_bytes)
    return -ENOMEM;
  // The old one goes first: on a small device both do not fit.
  if (region->bytes != 0)
    heddle_device_free(device, region->address);
  region->bytes = 0;
  const int result = heddle_device_allocate(device, (uint32_t)bytes, alignment, &region->address);
  if (result == 0)
    region->bytes = (uint32_t)bytes;
  return result;
}

// The dispatch with its packet, and the argument block behind it. `log2` is that of the private memory.
static int write_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch, uint32_t log2,
                          uint32_t printf_buffer) {
  const size_t bytes = HEDDLE_DISPATCH_WORDS * sizeof(uint32_t) + dispatch->argument_bytes;
  int result = grow(device, &device->dispatch, bytes, HEDDLE_DISPATCH_ALIGNMENT);
  if (result != 0)
    return result;
  uint32_t *words = calloc(1, bytes);
  if (!words)
    return -ENOMEM;
  uint32_t *packet = words + HEDDLE_DISPATCH_PACKET, work_items = 1;
  words[HEDDLE_DISPATCH_ENTRY] = dispatch->entry;
  words[HEDDLE_DISPATCH_SUB_GROUP_LOG2] = log2_ceiling(dispatch->sub_group_size);
  words[HEDDLE_DISPATCH_LOCAL_BYTES] = dispatch->local_bytes;
  words[HEDDLE_DISPATCH_PRIVATE_BASE] = device->private_memory.address;
  words[HEDDLE_DISPATCH_PRIVATE_LOG2] = log2;
  words[HEDDLE_DISPATCH_BUDGET] = (uint32_t)dispatch->budget;
  words[HEDDLE_DISPATCH_BUDGET + 1] = (uint32_t)(dispatch->budget >> 32);
  words[HEDDLE_DISPATCH_QUEUE] = dispatch->device_queue;
  packet[HEDDLE_PACKET_WORK_DIM] = dispatch->work_dim;
  for (int i = 0; i < 3; i++) {
    packet[HEDDLE_PACKET_GLOBAL_SIZE + i] = dispatch->global_size[i];
    packet[HEDDLE_PACKET_GLOBAL_OFFSET + i] = dispatch->global_offset[i];
    packet[HEDDLE_PACKET_LOCAL_SIZE + i] = dispatch->local_size[i];
    packet[HEDDLE_PACKET_NUM_GROUPS + i] = ceiling_divide(dispatch->global_size[i], dispatch->local_size[i]);
    work_items *= dispatch->local_size[i];
  }
  packet[HEDDLE_PACKET_NUM_SUB_GROUPS] = ceiling_divide(work_items, dispatch->sub_group_size);
  packet[HEDDLE_PACKET_MAX_SUB_GROUP_SIZE] = dispatch->sub_group_size;
  packet[HEDDLE_PACKET_PRINTF] = printf_buffer;
  if (dispatch->argument_bytes != 0)
    memcpy(packet + HEDDLE_PACKET_WORDS, dispatch->arguments, dispatch->argument_bytes);
  result = device->link.transport->write(device->link.state, device->dispatch.address, words, bytes);
  free(words);
  return result;
}

static int reserve_private_memory(struct heddle_device *device, uint32_t log2) {
  const struct heddle_capabilities *capability = &device->capability;
  const uint64_t work_items = (uint64_t)capability->units * capability->slots * capability->lanes;
  const uint32_t alignment = capability->line_bytes > HOST_PAGE ? capability->line_bytes : HOST_PAGE;
  return log2 == 0 ? -ENOMEM : grow(device, &device->private_memory, work_items << log2, alignment);
}

// A fault that nobody has answered would keep the dispatch waiting.
static int start(struct heddle_device *device) {
  int result = device->link.transport->doorbell(device->link.state, HEDDLE_COMMAND_GO_ON);
  if (result == 0)
    result = heddle_register_write(device, HEDDLE_REG_DISPATCH, device->dispatch.address);
  if (result == 0)
    result = device->link.transport->doorbell(device->link.state, HEDDLE_COMMAND_START);
  return result;
}

// A figure of a device that may be running: the low word counts only between two equal high words.
static int read_figure(struct heddle_device *device, uint32_t offset, uint64_t *value) {
  uint32_t high = 0, low = 0, again = 0;
  int result = heddle_register_read(device, offset + 4, &again);
  do {
    high = again;
    if (result == 0)
      result = heddle_register_read(device, offset, &low);
    if (result == 0)
      result = heddle_register_read(device, offset + 4, &again);
  } while (result == 0 && high != again);
  *value = (uint64_t)high << 32 | low;
  return result;
}

static int read_figures(struct heddle_device *device, struct heddle_figures *figures) {
  const struct {
    uint32_t offset;
    uint64_t *value;
  } all[] = {
      {HEDDLE_REG_CYCLES, &figures->cycles},
      {HEDDLE_REG_ISSUES, &figures->issues},
      {HEDDLE_REG_ACTIVE_LANES, &figures->active_lanes},
      {HEDDLE_REG_GROUPS_DONE, &figures->groups_done},
      {HEDDLE_REG_MEMORY_REQUESTS, &figures->memory_requests},
      {HEDDLE_REG_MEMORY_WAIT_CYCLES, &figures->memory_wait_cycles},
      {HEDDLE_REG_CONFLICT_CYCLES, &figures->conflict_cycles},
      {HEDDLE_REG_CACHE_REQUESTS, &figures->cache_requests},
      {HEDDLE_REG_CACHE_MISSES, &figures->cache_misses},
  };
  int result = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all && result == 0; i++)
    result = read_figure(device, all[i].offset, all[i].value);
  return result;
}

static int read_fault(struct heddle_device *device, struct heddle_fault *fault) {
  const struct {
    uint32_t offset, *value;
  } all[] = {
      {HEDDLE_REG_FAULT_REASON, &fault->reason},
      {HEDDLE_REG_FAULT_PC, &fault->pc},
      {HEDDLE_REG_FAULT_ADDRESS, &fault->address},
      {HEDDLE_REG_FAULT_GROUP_ID, &fault->group_id[0]},
      {HEDDLE_REG_FAULT_GROUP_ID + 4, &fault->group_id[1]},
      {HEDDLE_REG_FAULT_GROUP_ID + 8, &fault->group_id[2]},
      {HEDDLE_REG_FAULT_SUB_GROUP_ID, &fault->sub_group_id},
      {HEDDLE_REG_FAULT_LANE, &fault->lane},
  };
  int result = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all && result == 0; i++)
    result = heddle_register_read(device, all[i].offset, all[i].value);
  return result;
}

// Lets the device run until it is idle, reporting on the way.
static int wait_until_idle(struct heddle_device *device, heddle_progress *progress, void *user,
                           struct heddle_figures *figures) {
  bool stopped = false;
  int idle;
  while ((idle = device->link.transport->wait(device->link.state, MILLISECONDS_A_REPORT)) == 0) {
    if (!progress || stopped)
      continue;
    int result = read_figures(device, figures);
    if (result == 0 && !progress(user, figures)) {
      stopped = true;
      result = device->link.transport->doorbell(device->link.state, HEDDLE_COMMAND_STOP);
    }
    if (result != 0)
      return result;
  }
  return idle < 0 ? idle : 0;
}

static int run(struct heddle_device *device, const struct heddle_dispatch *dispatch, heddle_progress *progress,
               void *user, struct heddle_figures *figures, struct heddle_fault *fault) {
  const uint32_t printf_bytes = dispatch->printed ? heddle_printf_private_bytes(device) : 0;
  const uint32_t stack_bytes =
      dispatch->stack_bytes == 0 && printf_bytes != 0 ? 1u << DEFAULT_PRIVATE_LOG2 : dispatch->stack_bytes;
  const uint32_t log2 = heddle_private_log2(stack_bytes + printf_bytes);
  uint32_t status = 0, printf_buffer = 0;
  int result = reserve_private_memory(device, log2);
  if (result == 0 && dispatch->printed)
    result = heddle_printf_buffer_prepare(device, log2, stack_bytes, &printf_buffer);
  if (result == 0)
    result = write_dispatch(device, dispatch, log2, printf_buffer);
  if (result == 0)
    result = start(device);
  if (result == 0)
    result = wait_until_idle(device, progress, user, figures);
  if (result == 0)
    result = read_figures(device, figures);
  if (result == 0)
    result = heddle_register_read(device, HEDDLE_REG_STATUS, &status);
  if (result == 0 && dispatch->printed)
    result = heddle_printf_buffer_read(device, log2, stack_bytes, dispatch->printed);
  if (result != 0 || (status & HEDDLE_STATUS_FAULT) == 0)
    return result;
  result = read_fault(device, fault);
  return result == 0 ? 1 : result;
}

int heddle_device_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                           heddle_progress *progress, void *user, struct heddle_figures *figures,
                           struct heddle_fault *fault) {
  pthread_mutex_lock(&device->access);
  const int result = run(device, dispatch, progress, user, figures, fault);
  pthread_mutex_unlock(&device->access);
  return result;
}
