// SPDX-License-Identifier: Apache-2.0
// Where kernels print to (contract/DEVICE.md, "The printf buffer"). Kernel pipelines, and programs on a device with
// atomic instructions, to a buffer in global memory, made when a kernel that prints first runs. Programs on a device
// without to one of each lane of the hardware, at the bottom of its private memory, below the stack, of which only the
// header is written.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/isa.h"
#include "host/device/device.h"

enum {
  CAPACITY_MOST = 1 << 20,
  CAPACITY_LEAST = 1 << 10,
  SHARE_OF_MEMORY = 16,  // of a small device's memory
  HEADER_BYTES = HEDDLE_PRINTF_HEADER_WORDS * 4,
  ALIGNMENT = 64,
};

static bool has_atomics(const struct heddle_capabilities *capability) {
  return heddle_isa_has(capability->isa, "a");
}

static uint32_t lanes_of(const struct heddle_capabilities *capability) {
  const uint32_t lanes = capability->units * capability->slots * capability->lanes;
  return lanes != 0 ? lanes : 1;  // without programmable units nobody asks
}

uint32_t heddle_printf_capacity(const struct heddle_capabilities *capability) {
  uint32_t share = capability->global_bytes / SHARE_OF_MEMORY;
  share = share > CAPACITY_MOST ? CAPACITY_MOST : share;
  share = has_atomics(capability) ? share : share / lanes_of(capability);
  return share < CAPACITY_LEAST ? CAPACITY_LEAST : share / CAPACITY_LEAST * CAPACITY_LEAST;
}

uint32_t heddle_printf_private_bytes(const struct heddle_device *device) {
  return has_atomics(&device->capability) ? 0 : HEADER_BYTES + heddle_printf_capacity(&device->capability);
}

static int read_memory(struct heddle_device *device, uint32_t address, void *data, size_t bytes) {
  return bytes == 0 ? 0 : device->link.transport->read(device->link.state, address, data, bytes);
}

static int write_memory(struct heddle_device *device, uint32_t address, const void *data, size_t bytes) {
  return device->link.transport->write(device->link.state, address, data, bytes);
}

// ---- one for all

static int prepare_shared(struct heddle_device *device, uint32_t number, uint32_t *address) {
  const uint32_t capacity = heddle_printf_capacity(&device->capability);
  struct heddle_printf_memory *buffer = &device->printf_buffers[number];
  struct heddle_region *region = &buffer->region;
  if (region->bytes == 0) {
    const int result = heddle_region_grow(device, region, true, HEADER_BYTES + capacity, ALIGNMENT);
    if (result != 0)
      return result;
    buffer->used = capacity;
  }
  // Over what the last dispatch left, or a new place has.
  const size_t bytes = HEADER_BYTES + buffer->used;
  uint32_t *words = calloc(1, bytes);
  if (!words)
    return -ENOMEM;
  words[HEDDLE_PRINTF_CAPACITY] = capacity;
  buffer->used = capacity;  // until it is known better
  *address = region->address;
  const int result = write_memory(device, region->address, words, bytes);
  free(words);
  return result;
}

static int read_shared(struct heddle_device *device, uint32_t number, struct heddle_printed *printed) {
  struct heddle_printf_memory *buffer = &device->printf_buffers[number];
  const uint32_t capacity = heddle_printf_capacity(&device->capability), address = buffer->region.address;
  uint32_t header[HEDDLE_PRINTF_HEADER_WORDS];
  int result = read_memory(device, address, header, sizeof header);
  if (result != 0)
    return result;
  const uint32_t taken = header[HEDDLE_PRINTF_BYTES], bytes = taken < capacity ? taken : capacity;
  printed->records = malloc(bytes ? bytes : 1);
  if (!printed->records)
    return -ENOMEM;
  printed->bytes = bytes;
  printed->lost = header[HEDDLE_PRINTF_LOST];
  result = read_memory(device, address + HEADER_BYTES, printed->records, bytes);
  buffer->used = result == 0 ? bytes : capacity;
  return result;
}

// ---- one for each lane. Words of the same number of all lanes of a slot lie side by side: a row.

// Bytes for records. What the stack does not need of the private memory is all there.
static uint32_t private_capacity(uint32_t log2, uint32_t stack_bytes) {
  return (1u << log2) - stack_bytes - HEADER_BYTES;
}

static uint32_t first_row(const struct heddle_device *device, uint32_t slot, uint32_t log2) {
  return device->private_memory.address + (slot << log2) * device->capability.lanes;
}

static int prepare_private(struct heddle_device *device, uint32_t log2, uint32_t stack_bytes) {
  const uint32_t lanes = device->capability.lanes, slots = device->capability.units * device->capability.slots;
  uint32_t *rows = calloc(lanes, HEADER_BYTES);
  int result = rows ? 0 : -ENOMEM;
  for (uint32_t lane = 0; lane < lanes && result == 0; lane++)
    rows[HEDDLE_PRINTF_CAPACITY * lanes + lane] = private_capacity(log2, stack_bytes);
  for (uint32_t slot = 0; slot < slots && result == 0; slot++)
    result = write_memory(device, first_row(device, slot, log2), rows, (size_t)lanes * HEADER_BYTES);
  free(rows);
  return result;
}

// Adds the records of a slot's lanes to what was printed, one lane after the other.
static int read_slot(struct heddle_device *device, uint32_t address, uint32_t capacity,
                     struct heddle_printed *printed) {
  const uint32_t lanes = device->capability.lanes;
  uint32_t header[HEDDLE_PRINTF_HEADER_WORDS * 32] = {0}, most = 0, all = 0;
  int result = read_memory(device, address, header, (size_t)lanes * HEADER_BYTES);
  if (result != 0)
    return result;
  uint32_t *taken = header + HEDDLE_PRINTF_BYTES * lanes;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    taken[lane] = taken[lane] < capacity ? taken[lane] / 4 : capacity / 4;
    most = taken[lane] > most ? taken[lane] : most;
    all += taken[lane];
    printed->lost += header[HEDDLE_PRINTF_LOST * lanes + lane];
  }
  uint32_t *rows = calloc((size_t)most * lanes + 1, 4);
  uint8_t *records = realloc(printed->records, printed->bytes + 4 * (size_t)all + 1);
  printed->records = records ? records : printed->records;
  result =
      rows && records ? read_memory(device, address + lanes * HEADER_BYTES, rows, (size_t)most * lanes * 4) : -ENOMEM;
  for (uint32_t lane = 0; lane < lanes && result == 0; lane++)
    for (uint32_t word = 0; word < taken[lane]; word++, printed->bytes += 4)
      memcpy(printed->records + printed->bytes, &rows[word * lanes + lane], 4);
  free(rows);
  return result;
}

// ---- either

static bool is_shared(const struct heddle_device *device, const struct heddle_printing *printing) {
  return printing->kind != 0 || has_atomics(&device->capability);
}

int heddle_printf_buffer_prepare(struct heddle_device *device, const struct heddle_printing *printing,
                                 uint32_t *address) {
  if (is_shared(device, printing))
    return prepare_shared(device, printing->number, address);
  *address = HEDDLE_PRIVATE_BASE;
  return prepare_private(device, printing->log2, printing->stack_bytes);
}

int heddle_printf_buffer_read(struct heddle_device *device, const struct heddle_printing *printing,
                              struct heddle_printed *printed) {
  if (is_shared(device, printing))
    return read_shared(device, printing->number, printed);
  const uint32_t log2 = printing->log2, stack_bytes = printing->stack_bytes;
  int result = 0;
  for (uint32_t slot = 0; slot < device->capability.units * device->capability.slots && result == 0; slot++)
    result = read_slot(device, first_row(device, slot, log2), private_capacity(log2, stack_bytes), printed);
  return result;
}
