// SPDX-License-Identifier: Apache-2.0
// Control registers, one aligned word at a time (device.h).
#include "host/device/device.h"

int heddle_register_read(struct heddle_device *device, uint32_t offset, uint32_t *value) {
  return device->link.transport->read(device->link.state, HEDDLE_CONTROL_BASE + offset, value, sizeof *value);
}

int heddle_register_write(struct heddle_device *device, uint32_t offset, uint32_t value) {
  return device->link.transport->write(device->link.state, HEDDLE_CONTROL_BASE + offset, &value, sizeof value);
}
