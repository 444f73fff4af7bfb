// SPDX-License-Identifier: Apache-2.0
// A device with a command processor carries out commands itself: its firmware, the ring, HEAD and the records
// (contract/DEVICE.md, "The command processor").
#include <errno.h>
#include <string.h>

#include "contract/firmware.h"
#include "host/device/device.h"

int heddle_ring_open(struct heddle_device *device, struct heddle_error *error) {
  const struct heddle_transport *transport = device->link.transport;
  int result = transport->write(device->link.state, HEDDLE_FIRMWARE_FIRST, heddle_firmware, heddle_firmware_bytes);
  if (result == 0)
    result = transport->doorbell(device->link.state, HEDDLE_REG_PROCESSOR, HEDDLE_PROCESSOR_START);
  return result == 0
             ? 0
             : heddle_fail(error, result, "the device's command processor cannot be started (%s)", strerror(-result));
}

int heddle_ring_submit(struct heddle_device *device, uint32_t number) {
  const struct heddle_transport *transport = device->link.transport;
  const struct heddle_ring_command *c = heddle_ring_command_at(device, number);
  const uint32_t entry = number % HEDDLE_RING_COMMANDS;
  const int result = transport->write(device->link.state, HEDDLE_RING_FIRST + entry * HEDDLE_RING_COMMAND_BYTES,
                                      c->words, sizeof c->words);
  return result == 0 ? transport->doorbell(device->link.state, HEDDLE_REG_TAIL, number + 1) : result;
}

// Takes the records of what has ended since, with figures.
static int look(struct heddle_device *device) {
  struct heddle_commands *commands = &device->commands;
  uint32_t settled = 0;
  int result = heddle_register_read(device, HEDDLE_REG_SETTLED, &settled);
  if (result == 0 && settled - commands->head > commands->tail - commands->head)
    return -EIO;
  while (result == 0 && commands->head != settled) {
    struct heddle_ring_command *c = heddle_ring_command_at(device, commands->head);
    const uint32_t entry = commands->head % HEDDLE_RING_COMMANDS;
    result = device->link.transport->read(device->link.state, HEDDLE_RECORDS_FIRST + entry * HEDDLE_RECORD_BYTES,
                                          c->record, sizeof c->record);
    commands->head += result == 0;
  }
  return result;
}

int heddle_ring_advance(struct heddle_device *device, unsigned milliseconds) {
  const uint32_t head = device->commands.head;
  uint32_t status = 0;
  int result = look(device);
  if (result != 0 || device->commands.head != head)
    return result;
  const int idle = device->link.transport->wait(device->link.state, milliseconds);
  if (idle < 0)
    return idle;
  result = look(device);
  if (result != 0 || idle == 0 || device->commands.head == device->commands.tail)
    return result;
  // Idle, and not at the end: a firmware that has stopped never gets there.
  result = heddle_register_read(device, HEDDLE_REG_PROCESSOR_STATUS, &status);
  return result == 0 && status != HEDDLE_PROCESSOR_RUNS ? -EIO : result;
}
