// SPDX-License-Identifier: Apache-2.0
// Control registers, one aligned word at a time, and figures (device.h).
#include <errno.h>

#include "host/device/device.h"

int heddle_register_read(struct heddle_device *device, uint32_t offset, uint32_t *value) {
  return device->link.transport->read(device->link.state, HEDDLE_CONTROL_BASE + offset, value, sizeof *value);
}

int heddle_register_write(struct heddle_device *device, uint32_t offset, uint32_t value) {
  return device->link.transport->write(device->link.state, HEDDLE_CONTROL_BASE + offset, &value, sizeof value);
}

// The low word counts only between two equal high words. They differ once in 2^32 cycles.
int heddle_figure_read(struct heddle_device *device, uint32_t offset, uint64_t *value) {
  enum { TRIES = 8 };
  uint32_t high = 0, low = 0, again = 0;
  int result = heddle_register_read(device, offset + 4, &again), tries = 0;
  do {
    if (tries++ == TRIES)
      return heddle_lose(device, -EIO, "the device's figures differ at every read");
    high = again;
    if (result == 0)
      result = heddle_register_read(device, offset, &low);
    if (result == 0)
      result = heddle_register_read(device, offset + 4, &again);
  } while (result == 0 && high != again);
  *value = (uint64_t)high << 32 | low;
  return result;
}

struct heddle_figures heddle_figures_sum(const struct heddle_figures *one, const struct heddle_figures *other) {
  return (struct heddle_figures){
      .cycles = one->cycles + other->cycles,
      .issues = one->issues + other->issues,
      .active_lanes = one->active_lanes + other->active_lanes,
      .groups_done = one->groups_done + other->groups_done,
      .memory_requests = one->memory_requests + other->memory_requests,
      .memory_wait_cycles = one->memory_wait_cycles + other->memory_wait_cycles,
      .conflict_cycles = one->conflict_cycles + other->conflict_cycles,
      .cache_requests = one->cache_requests + other->cache_requests,
      .cache_misses = one->cache_misses + other->cache_misses,
  };
}

int heddle_figures_read(struct heddle_device *device, struct heddle_figures *figures) {
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
    result = heddle_figure_read(device, all[i].offset, all[i].value);
  return result;
}
