// SPDX-License-Identifier: Apache-2.0
#include "host/transport/bus.h"

#include <errno.h>
#include <string.h>

#include "contract/device_map.h"

enum { POLLS_A_MILLISECOND = 100 };

static uint32_t get(struct heddle_bus *bus, uint32_t offset) {
  bus->reads++;
  return bus->control[offset / 4];
}

// All that the processor wrote before is there before the register is.
static void set(struct heddle_bus *bus, uint32_t offset, uint32_t value) {
  bus->writes++;
  __sync_synchronize();
  bus->control[offset / 4] = value;
  __sync_synchronize();
}

static bool is_busy(struct heddle_bus *bus) {
  return (get(bus, HEDDLE_REG_BUS_STATE) & HEDDLE_BUS_BUSY) != 0;
}

void heddle_bus_sync(struct heddle_bus *bus) {
  if (!bus->written && !bus->started)
    return;
  if (bus->clean)
    bus->clean(bus->user);
  // Whether it had ended is asked before: what begins to run later stores later.
  const bool busy = is_busy(bus);
  set(bus, HEDDLE_REG_SYNC, 1);
  if (bus->clean)
    bus->clean(bus->user);
  bus->written = false;
  bus->started = busy;
}

static bool is_memory(const struct heddle_bus *bus, uint32_t address, size_t bytes) {
  return address <= bus->memory_bytes && bytes <= bus->memory_bytes - address;
}

static bool is_register(uint32_t address, size_t bytes) {
  return address >= HEDDLE_CONTROL_BASE && address % 4 == 0 && bytes == 4;
}

// What is read or written in place is there already.
static void copy(const struct heddle_bus *bus, void *to, const void *from, size_t bytes) {
  if (to == from)
    return;
  if (bus->copy)
    bus->copy(to, from, bytes);
  else
    memcpy(to, from, bytes);
}

static int bus_read(void *link, uint32_t address, void *data, size_t bytes) {
  struct heddle_bus *bus = link;
  if (is_memory(bus, address, bytes)) {
    heddle_bus_sync(bus);
    copy(bus, data, bus->memory + address, bytes);
    return 0;
  }
  if (!is_register(address, bytes))
    return -EFAULT;
  const uint32_t value = get(bus, address - HEDDLE_CONTROL_BASE);
  memcpy(data, &value, sizeof value);
  return 0;
}

static int bus_write(void *link, uint32_t address, const void *data, size_t bytes) {
  struct heddle_bus *bus = link;
  if (is_memory(bus, address, bytes)) {
    copy(bus, bus->memory + address, data, bytes);
    bus->written = true;
    return 0;
  }
  if (!is_register(address, bytes))
    return -EFAULT;
  uint32_t value;
  memcpy(&value, data, sizeof value);
  set(bus, address - HEDDLE_CONTROL_BASE, value);
  return 0;
}

static int bus_doorbell(void *link, uint32_t offset, uint32_t value) {
  struct heddle_bus *bus = link;
  bus->written = true;  // the program may have written in place
  heddle_bus_sync(bus);
  set(bus, HEDDLE_REG_INTERRUPT, 1);  // what this begins has not ended
  set(bus, offset, value);
  bus->started = true;
  return 0;
}

static int bus_wait(void *link, unsigned milliseconds) {
  struct heddle_bus *bus = link;
  if (bus->sleep && is_busy(bus))
    bus->sleep(bus->user, milliseconds);
  for (uint32_t polls = bus->sleep ? 0 : milliseconds * POLLS_A_MILLISECOND; polls > 0 && is_busy(bus); polls--) {
  }
  return !is_busy(bus);
}

static void bus_close(void *link) {
  struct heddle_bus *bus = link;
  set(bus, HEDDLE_REG_INTERRUPT_ENABLE, 0);
}

static const struct heddle_transport bus_transport = {
    .read = bus_read, .write = bus_write, .doorbell = bus_doorbell, .wait = bus_wait, .close = bus_close};

int heddle_bus_open(struct heddle_bus *bus, struct heddle_link *link, struct heddle_error *error) {
  const uint32_t magic = get(bus, HEDDLE_REG_MAGIC), bytes = get(bus, HEDDLE_REG_GLOBAL_BYTES);
  if (magic != HEDDLE_MAGIC)
    return heddle_fail(error, -ENODEV, "what is at the address of the control registers is no Heddle device: 0x%08lx",
                       (unsigned long)magic);
  if (bytes > bus->memory_bytes)
    return heddle_fail(error, -ENODEV, "the device has %lu bytes of memory, of which the program has %lu",
                       (unsigned long)bytes, (unsigned long)bus->memory_bytes);
  bus->memory_bytes = bytes;
  set(bus, HEDDLE_REG_RESET, 1);
  set(bus, HEDDLE_REG_INTERRUPT_ENABLE, !!bus->sleep);
  bus->written = bus->started = false;
  *link = (struct heddle_link){.keeps_memory = bus->keeps_memory, .transport = &bus_transport, .state = bus};
  return 0;
}
