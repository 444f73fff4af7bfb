// SPDX-License-Identifier: Apache-2.0
// A device for tests of the host side (fake_device.h).
#include "tests/host/fake_device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"

struct fake {
  uint8_t memory[FAKE_GLOBAL_BYTES];
  uint32_t registers[0x400 / 4];
  uint64_t groups_left;
};

static uint32_t lie_offset, lie_value;

void fake_device_lie(uint32_t offset, uint32_t value) {
  lie_offset = offset;
  lie_value = value;
}

static struct leaving {
  uint32_t address;
  const void *data;
  size_t bytes;
} leavings[8];
static size_t num_leavings;

void fake_device_leave(uint32_t address, const void *data, size_t bytes) {
  leavings[num_leavings++] = (struct leaving){address, data, bytes};
}

static uint32_t *reg(struct fake *fake, uint32_t offset) {
  return &fake->registers[offset / 4];
}

static void *create(const struct heddle_sim_config *config, const char **error) {
  (void)config, (void)error;
  struct fake *fake = calloc(1, sizeof *fake);
  const uint32_t values[][2] = {
      {HEDDLE_REG_MAGIC, HEDDLE_MAGIC},
      {HEDDLE_REG_VERSION, 1},
      {HEDDLE_REG_LANES, FAKE_LANES},
      {HEDDLE_REG_SLOTS, FAKE_SLOTS},
      {HEDDLE_REG_UNITS, 1},
      {HEDDLE_REG_LOCAL_MEMORY_BYTES, FAKE_LOCAL_BYTES},
      {HEDDLE_REG_GLOBAL_BYTES, FAKE_GLOBAL_BYTES},
      {HEDDLE_REG_FIRST_GLOBAL, HEDDLE_GLOBAL_FIRST},
      {HEDDLE_REG_LINE_BYTES, FAKE_LINE_BYTES},
      {HEDDLE_REG_CLOCK_KHZ, FAKE_CLOCK_KHZ},
      {HEDDLE_REG_CACHE_BYTES, FAKE_CACHE_BYTES},
      {HEDDLE_REG_MEMORY_LATENCY, FAKE_MEMORY_LATENCY},
      {HEDDLE_REG_MEMORY_INTERVAL, FAKE_MEMORY_INTERVAL},
      {HEDDLE_REG_MEMORY_CHANNELS, FAKE_MEMORY_CHANNELS},
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    *reg(fake, values[i][0]) = values[i][1];
  strcpy((char *)reg(fake, HEDDLE_REG_ISA), "rv32im_zicsr");
  if (lie_offset != 0)
    *reg(fake, lie_offset) = lie_value;
  return fake;
}

static void destroy(void *device) {
  free(device);
}

static void *place(struct fake *fake, uint32_t address, size_t bytes) {
  if (address >= HEDDLE_CONTROL_BASE)
    return bytes == 4 && address % 4 == 0 && address - HEDDLE_CONTROL_BASE < sizeof fake->registers
               ? reg(fake, address - HEDDLE_CONTROL_BASE)
               : NULL;
  return address >= HEDDLE_GLOBAL_FIRST && address <= FAKE_GLOBAL_BYTES && bytes <= FAKE_GLOBAL_BYTES - address
             ? fake->memory + address
             : NULL;
}

static uint32_t word_at(const struct fake *fake, uint32_t address) {
  uint32_t word;
  memcpy(&word, fake->memory + address, sizeof word);
  return word;
}

// A word of the dispatch.
static uint32_t dispatch(struct fake *fake, uint32_t word) {
  return word_at(fake, *reg(fake, HEDDLE_REG_DISPATCH) + 4 * word);
}

static void fault(struct fake *fake, uint32_t reason) {
  *reg(fake, HEDDLE_REG_STATUS) = HEDDLE_STATUS_FAULT;
  *reg(fake, HEDDLE_REG_FAULT_REASON) = reason;
  *reg(fake, HEDDLE_REG_FAULT_PC) = dispatch(fake, HEDDLE_DISPATCH_ENTRY);
  *reg(fake, HEDDLE_REG_FAULT_ADDRESS) = 0x123;
  for (uint32_t i = 0; i < 3; i++)
    *reg(fake, HEDDLE_REG_FAULT_GROUP_ID + 4 * i) = 0;
  *reg(fake, HEDDLE_REG_FAULT_SUB_GROUP_ID) = 1;
  *reg(fake, HEDDLE_REG_FAULT_LANE) = 2;
}

static void start(struct fake *fake) {
  fake->groups_left = 1;
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t size = dispatch(fake, HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE + i);
    const uint32_t local = dispatch(fake, HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE + i);
    fake->groups_left *= (size + local - 1) / local;
  }
  memset(reg(fake, HEDDLE_REG_CYCLES), 0, HEDDLE_REG_FAULT_REASON - HEDDLE_REG_CYCLES);
  memset(reg(fake, HEDDLE_REG_CACHE_REQUESTS), 0, 16);
  *reg(fake, HEDDLE_REG_STATUS) = HEDDLE_STATUS_BUSY;
  for (; num_leavings > 0; num_leavings--)
    memcpy(fake->memory + leavings[num_leavings - 1].address, leavings[num_leavings - 1].data,
           leavings[num_leavings - 1].bytes);
}

static int read_device(void *device, uint32_t address, void *data, size_t bytes) {
  const void *from = place(device, address, bytes);
  if (!from)
    return -EFAULT;
  memcpy(data, from, bytes);
  return 0;
}

static int write_device(void *device, uint32_t address, const void *data, size_t bytes) {
  void *to = place(device, address, bytes);
  if (!to)
    return -EFAULT;
  memcpy(to, data, bytes);
  if (address == HEDDLE_CONTROL_BASE + HEDDLE_REG_COMMAND) {
    const uint32_t command = *(uint32_t *)to;
    if (command == HEDDLE_COMMAND_START)
      start(device);
    else if (command == HEDDLE_COMMAND_STOP)
      fault(device, HEDDLE_FAULT_STOPPED);
  }
  return 0;
}

static int run(void *device, uint64_t cycles) {
  struct fake *fake = device;
  if ((*reg(fake, HEDDLE_REG_STATUS) & HEDDLE_STATUS_BUSY) == 0)
    return 1;
  const uint32_t word = word_at(fake, dispatch(fake, HEDDLE_DISPATCH_ENTRY));
  if ((word & 0xFF000000u) == FAKE_FAULT) {
    fault(fake, word & 0xFF);
    return 1;
  }
  if (word == FAKE_FOREVER) {
    *reg(fake, HEDDLE_REG_CYCLES) += (uint32_t)cycles;
    return 0;
  }
  const uint32_t done = (uint32_t)(cycles < fake->groups_left ? cycles : fake->groups_left);
  fake->groups_left -= done;
  *reg(fake, HEDDLE_REG_GROUPS_DONE) += done;
  *reg(fake, HEDDLE_REG_CYCLES) += done;
  *reg(fake, HEDDLE_REG_ISSUES) += 3 * done;
  *reg(fake, HEDDLE_REG_MEMORY_REQUESTS) += 5 * done;
  *reg(fake, HEDDLE_REG_MEMORY_WAIT_CYCLES) += 7 * done;
  *reg(fake, HEDDLE_REG_CONFLICT_CYCLES) += 11 * done;
  *reg(fake, HEDDLE_REG_CACHE_REQUESTS) += 13 * done;
  *reg(fake, HEDDLE_REG_CACHE_MISSES) += 17 * done;
  if (fake->groups_left == 0)
    *reg(fake, HEDDLE_REG_STATUS) = 0;
  return fake->groups_left == 0;
}

const struct heddle_sim_api *heddle_model_api(void) {
  static const struct heddle_sim_api api = {
      .name = "fake", .create = create, .destroy = destroy, .read = read_device, .write = write_device, .run = run};
  return &api;
}

void heddle_model_set_threads(void *device, uint32_t threads) {
  (void)device, (void)threads;
}
