// SPDX-License-Identifier: Apache-2.0
// How the driver (host/device) reaches a device: a table of five functions, which each transport fills. The first
// argument of each is the link's state. Not thread-safe: the driver makes one call at a time on a link. Errors are
// negative errno values. -ENODEV: the device was removed; -EIO: it does not answer as DEVICE.md says; -EFAULT: the
// address range does not exist.
#ifndef HEDDLE_TRANSPORT_H
#define HEDDLE_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/check.h"

struct heddle_observed;

struct heddle_transport {
  // Global memory of the device (any address and number of bytes) or its control registers (one aligned word).
  int (*read)(void *link, uint32_t address, void *data, size_t bytes);
  int (*write)(void *link, uint32_t address, const void *data, size_t bytes);

  // Makes all earlier writes visible to the device, then writes a control register that starts something: COMMAND,
  // TAIL, PROCESSOR (device_map.h).
  int (*doorbell)(void *link, uint32_t offset, uint32_t value);

  // Waits until the device is idle, but not longer than about `milliseconds`. 1: idle, 0: busy. A simulated device runs
  // only during this call.
  int (*wait)(void *link, unsigned milliseconds);

  void (*close)(void *link);

  // Why the last call failed, where the transport knows it better than -ENODEV and -EIO say. May be NULL, and so may
  // its answer.
  const char *(*why)(const void *link);
};

// Whether a range lies in the 32 bits of the device's addresses. A transport answers -EFAULT to any other.
static inline bool heddle_transport_has_range(uint32_t address, size_t bytes) {
  return bytes <= UINT64_C(0x100000000) - address;
}

// One opened device. The caller who opened it passes it to heddle_device_open, which then owns it.
struct heddle_link {
  bool keeps_memory;  // global memory may hold data of an earlier process
  const struct heddle_transport *transport;
  void *state;  // first argument of every call
  // Byte 0 of global memory where the program may read and write it in place; a transfer whose `data` lies there at the
  // same place moves nothing, but has to be made. NULL: the device's memory is not the program's.
  uint8_t *memory;
  unsigned patience;  // how many times longer than usual its answers may take; 0 and 1: not longer
  // An estimate of the link's speed, by which the driver chooses who copies and fills (host/device/transfers.c).
  uint64_t bytes_a_second;           // 0: as fast as the host's memory
  uint32_t access_ns;                // time of an access of a few bytes
  struct heddle_observed *observed;  // of a simulated device that is observed (host/observe); else NULL
  // Of a simulated device that checks kernels (contract/check.h); NULL: it does not. `checker` is the first argument of
  // each call.
  const struct heddle_check_api *check;
  void *checker;
};

#endif
