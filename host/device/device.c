// SPDX-License-Identifier: Apache-2.0
// Opening a device: reads the capability block, refuses what is none, sets up the bookkeeping. Also its memory calls.
#include "host/device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/device/chains.h"
#include "host/observe/observe.h"

enum { MOST_MEMORY_CHANNELS = 64 };

static bool power_of_two(uint32_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// What to do about a capability block that no Heddle device has.
#define WRONG_BITSTREAM ". Load a bitstream that was made with this version of Heddle"

// Whether the numbers can be those of a Heddle device; everything later relies on it.
static int check(const struct heddle_capabilities *capability, struct heddle_error *error) {
  const uint64_t work_items = (uint64_t)capability->units * capability->slots * capability->lanes;
  if (!power_of_two(capability->lanes) || capability->lanes > 32)
    return heddle_fail(error, -EIO, "device reports %u lanes; a power of two up to 32 is possible" WRONG_BITSTREAM,
                       capability->lanes);
  if (capability->slots == 0 || (capability->units == 0 && capability->num_kinds < 2) || work_items > (1u << 20))
    return heddle_fail(error, -EIO,
                       "device reports %u slots and %u units of %u lanes, which is not possible" WRONG_BITSTREAM,
                       capability->slots, capability->units, capability->lanes);
  if (!power_of_two(capability->line_bytes) || capability->line_bytes < 4 || capability->line_bytes > 4096)
    return heddle_fail(error, -EIO,
                       "device reports lines of %u bytes; a power of two from 4 to 4096 is possible" WRONG_BITSTREAM,
                       capability->line_bytes);
  if (capability->first_global < HEDDLE_GLOBAL_FIRST || capability->global_bytes <= capability->first_global ||
      capability->global_bytes > HEDDLE_LOCAL_BASE)
    return heddle_fail(error, -EIO,
                       "device reports global memory from 0x%x to 0x%x, which is not possible" WRONG_BITSTREAM,
                       capability->first_global, capability->global_bytes);
  if ((capability->features & HEDDLE_FEATURE_PROCESSOR) != 0 && capability->first_global < HEDDLE_PROCESSOR_END)
    return heddle_fail(error, -EIO,
                       "device reports a command processor whose memory kernels can write" WRONG_BITSTREAM);
  if (capability->local_memory_bytes > HEDDLE_LOCAL_LAST - HEDDLE_LOCAL_BASE)
    return heddle_fail(error, -EIO, "device reports %u bytes of local memory, which is too much" WRONG_BITSTREAM,
                       capability->local_memory_bytes);
  if (capability->memory_channels > MOST_MEMORY_CHANNELS)
    return heddle_fail(error, -EIO, "device reports %u memory channels; %u are possible" WRONG_BITSTREAM,
                       capability->memory_channels, (unsigned)MOST_MEMORY_CHANNELS);
  if (capability->memory_latency == HEDDLE_MEMORY_FAILED)
    return heddle_fail(error, -EIO,
                       "the board's memory does not work: its chip did not pass the test that follows power. "
                       "Power the board off and on; if that does not help, the board is broken");
  const uint32_t page_log2 = capability->features >> HEDDLE_FEATURE_PAGE_LOG2_SHIFT & HEDDLE_FEATURE_PAGE_LOG2_MASK;
  if (page_log2 != 0 && (capability->global_bytes - 1) >> page_log2 >= HEDDLE_RIGHTS_PAGES_MOST)
    return heddle_fail(error, -EIO, "device reports rights of pages of 2^%u bytes, too many pages" WRONG_BITSTREAM,
                       page_log2);
  if (capability->clock_khz == 0)
    return heddle_fail(error, -EIO, "device reports a clock of 0 kHz" WRONG_BITSTREAM);
  if (capability->isa[0] == 0)
    return heddle_fail(error, -EIO, "device reports no ISA string" WRONG_BITSTREAM);
  return 0;
}

// A unit's limits have to be those that its dispatches keep; a kind of no known type is one that nobody uses.
static int check_kind(const struct heddle_unit_kind *kind, uint32_t number, struct heddle_error *error) {
  if (kind->units == 0)
    return 0;
  if (kind->units > 15 || !power_of_two(kind->lanes) || kind->lanes > 32 || !power_of_two(kind->slots) ||
      kind->slots > 4096 || kind->work_group_items == 0 || kind->work_group_items > kind->lanes * kind->slots ||
      kind->local_bytes > HEDDLE_LOCAL_LAST - HEDDLE_LOCAL_BASE)
    return heddle_fail(error, -EIO,
                       "device reports of kind %u: %u units of %u lanes and %u slots, work-groups of %u work-items and "
                       "%u bytes of local memory, which is not possible" WRONG_BITSTREAM,
                       number, kind->units, kind->lanes, kind->slots, kind->work_group_items, kind->local_bytes);
  return 0;
}

static int read_kind(struct heddle_device *device, uint32_t number, struct heddle_error *error) {
  struct heddle_unit_kind *kind = &device->capability.kinds[number];
  const struct {
    uint32_t word, *value;
  } words[] = {{HEDDLE_KIND_TYPE, &kind->type},
               {HEDDLE_KIND_UNITS, &kind->units},
               {HEDDLE_KIND_LANES, &kind->lanes},
               {HEDDLE_KIND_SLOTS, &kind->slots},
               {HEDDLE_KIND_WORK_GROUP_ITEMS, &kind->work_group_items},
               {HEDDLE_KIND_LOCAL_BYTES, &kind->local_bytes},
               {HEDDLE_KIND_SITES, &kind->sites},
               {HEDDLE_KIND_PIPE, &kind->pipes[0]},
               {HEDDLE_KIND_MORE_PIPES, &kind->pipes[1]},
               {HEDDLE_KIND_MORE_PIPES + 1, &kind->pipes[2]},
               {HEDDLE_KIND_MORE_PIPES + 2, &kind->pipes[3]},
               {HEDDLE_KIND_MORE_PIPES + 3, &kind->pipes[4]},
               {HEDDLE_KIND_HASH, &kind->hash[0]},
               {HEDDLE_KIND_HASH + 1, &kind->hash[1]},
               {HEDDLE_KIND_HASH + 2, &kind->hash[2]},
               {HEDDLE_KIND_HASH + 3, &kind->hash[3]}};
  const uint32_t first = HEDDLE_REG_KIND_TABLE + number * HEDDLE_KIND_WORDS * 4;
  int result = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words && result == 0; i++)
    result = heddle_register_read(device, first + 4 * words[i].word, words[i].value);
  if (result != 0)
    return heddle_fail(error, -EIO, "the device does not answer while its capability block is read (%s)",
                       strerror(-result));
  return check_kind(kind, number, error);
}

// What the device can do at most is then what its pipelines can.
static void describe_without_programmable(struct heddle_capabilities *capability) {
  uint32_t lanes = 1, items = 1, local_bytes = 0;
  for (uint32_t i = 1; i < capability->num_kinds; i++) {
    const struct heddle_unit_kind *kind = &capability->kinds[i];
    lanes = kind->lanes > lanes ? kind->lanes : lanes;
    items = kind->work_group_items > items ? kind->work_group_items : items;
    local_bytes = kind->local_bytes > local_bytes ? kind->local_bytes : local_bytes;
  }
  capability->lanes = lanes;
  capability->slots = (items + lanes - 1) / lanes;
  capability->local_memory_bytes = local_bytes;
}

// Whether there is a kernel pipeline that reads it.
static bool is_pipeline(const struct heddle_capabilities *capability, uint32_t pipe) {
  const uint32_t reader = HEDDLE_KIND_PIPE_READER(pipe);
  return reader != 0 && reader < capability->num_kinds;
}

// The table of kinds; where there is none, and of kind 0 always, what the block itself says.
static int read_kinds(struct heddle_device *device, struct heddle_error *error) {
  struct heddle_capabilities *capability = &device->capability;
  uint32_t count = 0, units = capability->units;
  int result = heddle_register_read(device, HEDDLE_REG_KINDS, &count);
  if (result != 0)
    return heddle_fail(error, -EIO, "the device does not answer while its capability block is read (%s)",
                       strerror(-result));
  if (count > HEDDLE_KINDS_MOST)
    return heddle_fail(error, -EIO, "device reports %u kinds of compute unit; %u are possible" WRONG_BITSTREAM, count,
                       (unsigned)HEDDLE_KINDS_MOST);
  capability->num_kinds = count == 0 ? 1 : count;
  for (uint32_t i = 1; i < capability->num_kinds && result == 0; i++) {
    result = read_kind(device, i, error);
    units += capability->kinds[i].units;
    for (int p = 0; p < HEDDLE_KIND_PIPES && result == 0; p++)
      if (capability->kinds[i].pipes[p] != 0 && !is_pipeline(capability, capability->kinds[i].pipes[p]))
        result =
            heddle_fail(error, -EIO, "device reports a chain of kind %u with one that is not there" WRONG_BITSTREAM, i);
  }
  struct heddle_chain_shape shape;
  for (uint32_t i = 1; i < capability->num_kinds && result == 0; i++)
    if (heddle_kind_is_of_chain(capability, i) && !heddle_chain_shape(capability, i, &shape))
      result = heddle_fail(error, -EIO, "device reports a chain of kind %u that cannot be one" WRONG_BITSTREAM, i);
  capability->kinds[0] = (struct heddle_unit_kind){.type = HEDDLE_KIND_IS_PROGRAMMABLE,
                                                   .units = capability->units,
                                                   .lanes = capability->lanes,
                                                   .slots = capability->slots,
                                                   .work_group_items = capability->lanes * capability->slots,
                                                   .local_bytes = capability->local_memory_bytes};
  if (capability->units == 0)
    describe_without_programmable(capability);
  return result == 0 && units == 0 ? heddle_fail(error, -EIO, "device reports no compute unit" WRONG_BITSTREAM)
                                   : result;
}

int heddle_device_probe(struct heddle_device *device, struct heddle_error *error) {
  struct heddle_capabilities *capability = &device->capability;
  uint32_t magic = 0, version = 0;
  const struct {
    uint32_t offset, *value;
  } words[] = {
      {HEDDLE_REG_MAGIC, &magic},
      {HEDDLE_REG_VERSION, &version},
      {HEDDLE_REG_LANES, &capability->lanes},
      {HEDDLE_REG_SLOTS, &capability->slots},
      {HEDDLE_REG_UNITS, &capability->units},
      {HEDDLE_REG_LOCAL_MEMORY_BYTES, &capability->local_memory_bytes},
      {HEDDLE_REG_FIRST_GLOBAL, &capability->first_global},
      {HEDDLE_REG_GLOBAL_BYTES, &capability->global_bytes},
      {HEDDLE_REG_LINE_BYTES, &capability->line_bytes},
      {HEDDLE_REG_CLOCK_KHZ, &capability->clock_khz},
      {HEDDLE_REG_MEMORY_LATENCY, &capability->memory_latency},
      {HEDDLE_REG_MEMORY_INTERVAL, &capability->memory_interval},
      {HEDDLE_REG_FEATURES, &capability->features},
      {HEDDLE_REG_CACHE_BYTES, &capability->cache_bytes},
      {HEDDLE_REG_MEMORY_CHANNELS, &capability->memory_channels},
  };
  int result = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words && result == 0; i++)
    result = heddle_register_read(device, words[i].offset, words[i].value);
  for (uint32_t i = 0; i < HEDDLE_ISA_BYTES && result == 0; i += 4)
    result = heddle_register_read(device, HEDDLE_REG_ISA + i, (uint32_t *)(void *)(capability->isa + i));
  if (result != 0)
    return heddle_fail(error, -EIO, "the device does not answer while its capability block is read (%s)",
                       strerror(-result));
  if (magic != HEDDLE_MAGIC)
    return heddle_fail(
        error, -EIO,
        "what answers is no Heddle device: its first word is 0x%08x, not 0x%08x. Load a bitstream of Heddle", magic,
        HEDDLE_MAGIC);
  if (version != HEDDLE_CONTRACT_VERSION)
    return heddle_fail(
        error, -EIO,
        "the device's bitstream has version %u of the device contract, this library takes %u: load a bitstream of "
        "this version of Heddle, or install the library that fits",
        version, HEDDLE_CONTRACT_VERSION);
  if (capability->memory_channels == 0)  // a device that does not say
    capability->memory_channels = 1;
  result = read_kinds(device, error);
  return result == 0 ? check(capability, error) : result;
}

int heddle_device_open(const struct heddle_link *link, struct heddle_device **opened, struct heddle_error *error) {
  struct heddle_device *device = calloc(1, sizeof *device);
  int result = -ENOMEM;
  if (device) {
    device->link = *link;
    result = heddle_device_probe(device, error);
  }
  if (result == 0)
    heddle_observe_shape(link->observed, &device->capability);
  if (result == 0) {
    result = heddle_checked_open(device);
    const uint32_t log2 = heddle_page_log2(device);  // a device that checks kernels does without
    device->allocator =
        heddle_allocator_create(device->capability.first_global, device->capability.global_bytes, 1u << log2);
    result = device->allocator ? result : -ENOMEM;
  }
  if (result == -ENOMEM)
    heddle_fail(error, result, "out of host memory");
  if (result == 0)
    result = heddle_transfers_open(device, error);
  if (result == 0 && heddle_has_processor(device))
    result = heddle_ring_open(device, error);
  if (result != 0) {
    link->transport->close(link->state);
    if (device) {
      heddle_allocator_destroy(device->allocator);
      heddle_checked_close(device);
    }
    free(device);
    return result;
  }
  pthread_mutex_init(&device->access, NULL);
  *opened = device;
  return 0;
}

void heddle_device_close(struct heddle_device *device) {
  if (!device)
    return;
  device->link.transport->close(device->link.state);
  heddle_allocator_destroy(device->allocator);
  heddle_checked_close(device);
  pthread_mutex_destroy(&device->access);
  free(device);
}

struct heddle_observed *heddle_device_observed(const struct heddle_device *device) {
  return device->link.observed;
}

const struct heddle_capabilities *heddle_device_capability(const struct heddle_device *device) {
  return &device->capability;
}

int heddle_device_allocate(struct heddle_device *device, uint32_t bytes, uint32_t alignment, uint32_t *address) {
  return heddle_device_allocate_for(device, HEDDLE_DOMAIN_NOBODY, bytes, alignment, address);
}

int heddle_device_allocate_for(struct heddle_device *device, uint8_t rights, uint32_t bytes, uint32_t alignment,
                               uint32_t *address) {
  int result = heddle_allocator_take(device->allocator, rights, bytes, alignment, address);
  if (result == -ENOMEM && heddle_checked_make_room(device))
    result = heddle_allocator_take(device->allocator, rights, bytes, alignment, address);
  return result;
}

int heddle_device_allocate_from(struct heddle_device *device, uint8_t rights, uint32_t bytes, uint32_t alignment,
                                uint32_t lowest, uint32_t *address) {
  int result = heddle_allocator_take_from(device->allocator, rights, bytes, alignment, lowest, address);
  if (result == -ENOMEM && heddle_checked_make_room(device))
    result = heddle_allocator_take_from(device->allocator, rights, bytes, alignment, lowest, address);
  return result;
}

int heddle_device_split(struct heddle_device *device, uint32_t address, uint32_t bytes, uint8_t rights) {
  return heddle_allocator_split(device->allocator, address, bytes, rights);
}

void *heddle_device_memory(const struct heddle_device *device) {
  return device->link.memory;
}

void heddle_device_free(struct heddle_device *device, uint32_t address) {
  if (!heddle_checked_release(device, address))
    heddle_allocator_give(device->allocator, address);
}

int heddle_lose(struct heddle_device *device, int result, const char *why) {
  if (!atomic_load(&device->lost)) {
    heddle_fail(&device->loss, result, "%s; it is not used any more", why);
    atomic_store(&device->lost, true);
  }
  return result;
}

int heddle_settle(struct heddle_device *device, int result) {
  const struct heddle_transport *transport = device->link.transport;
  const char *why = result < 0 && transport->why ? transport->why(device->link.state) : NULL;
  if (why)
    return heddle_lose(device, result, why);
  if (result == -ENODEV)
    return heddle_lose(device, result, "the device is gone: it was pulled out or reset, or its link broke");
  if (result == -EIO)
    return heddle_lose(device, result, "the device does not answer as a Heddle device");
  return result;
}

bool heddle_device_lost(const struct heddle_device *device, struct heddle_error *why) {
  const bool lost = atomic_load(&device->lost);
  if (lost && why)
    *why = device->loss;
  return lost;
}

// Whether the range lies in global memory.
static bool is_global(const struct heddle_device *device, uint32_t address, size_t bytes) {
  const uint32_t end = device->capability.global_bytes;
  return address >= device->capability.first_global && address <= end && bytes <= end - address;
}

int heddle_device_read(struct heddle_device *device, uint32_t address, void *data, size_t bytes) {
  if (!is_global(device, address, bytes))
    return -EFAULT;
  if (bytes == 0)
    return 0;
  pthread_mutex_lock(&device->access);
  const uint64_t start = heddle_trace_clock();
  int result = atomic_load(&device->lost) ? -ENODEV : 0;
  if (result == 0)
    result = heddle_settle(device, device->link.transport->read(device->link.state, address, data, bytes));
  heddle_trace_host("link", "link", "read", start, bytes);
  pthread_mutex_unlock(&device->access);
  return result;
}

int heddle_device_write(struct heddle_device *device, uint32_t address, const void *data, size_t bytes) {
  if (!is_global(device, address, bytes))
    return -EFAULT;
  if (bytes == 0)
    return 0;
  pthread_mutex_lock(&device->access);
  const uint64_t start = heddle_trace_clock();
  int result = atomic_load(&device->lost) ? -ENODEV : 0;
  if (result == 0)
    result = heddle_settle(device, device->link.transport->write(device->link.state, address, data, bytes));
  heddle_trace_host("link", "link", "write", start, bytes);
  pthread_mutex_unlock(&device->access);
  return result;
}
