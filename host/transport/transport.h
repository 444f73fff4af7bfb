// SPDX-License-Identifier: Apache-2.0
// How the driver (host/device) reaches a device: four calls, and one to hang up. Each transport fills this table.
// Not thread-safe: the driver makes one call at a time on a link. Failures are negative errno values and mean that the
// device is gone (-ENODEV), does not answer as one (-EIO), or the address range does not exist (-EFAULT).
#ifndef HEDDLE_TRANSPORT_H
#define HEDDLE_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_transport {
  // Global memory of the device (any address and length) or its control registers (one aligned word).
  int (*read)(void *link, uint32_t address, void *data, size_t bytes);
  int (*write)(void *link, uint32_t address, const void *data, size_t bytes);

  // Makes all earlier writes visible to the device, then writes a control register that sets it going: COMMAND, TAIL,
  // PROCESSOR (device_map.h).
  int (*doorbell)(void *link, uint32_t offset, uint32_t value);

  // Gives the device time: returns when it is idle, at the latest after about `milliseconds`. 1 idle, 0 busy.
  int (*wait)(void *link, unsigned milliseconds);

  void (*close)(void *link);
};

// Whether a range lies in the 32 bits of the device's addresses. A transport answers -EFAULT to any other.
static inline bool heddle_transport_has_range(uint32_t address, size_t bytes) {
  return bytes <= UINT64_C(0x100000000) - address;
}

// One opened device. Whoever opened it passes it on to heddle_device_open, which then owns it.
struct heddle_link {
  bool keeps_memory;  // what an earlier process left in the device's memory is still there
  const struct heddle_transport *transport;
  void *state;        // first argument of every call
  unsigned patience;  // so many times as slow it may be as devices are; 0: once
  // About how fast it is, for whoever can do without it: bytes a second, 0: as fast as memory; and until an access of
  // few bytes is done.
  uint64_t bytes_a_second;
  uint32_t access_ns;
};

#endif
