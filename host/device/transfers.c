// SPDX-License-Identifier: Apache-2.0
// Who moves bytes within a device's memory, its command processor or the host (driver.h). Why by these numbers:
// docs/decisions/copies-and-fills.md.
#include "host/device/device.h"
#include "host/environment.h"

// Cycles of the command processor: `transfer.*` of tests/baseline.json.
enum { CYCLES_A_FILLED_BYTE = 6, CYCLES_A_BYTE = 10, CYCLES_AN_UNALIGNED_BYTE = 23, CYCLES_A_ROW = 1700 };

// A host that moves the bytes has to notice first that the device is idle, and the device is so until it has the next
// command.
enum { IDLE_NS = 100000 };

enum { BY_HOST, BY_DEVICE, BY_THE_FASTER };

static const struct heddle_variable variable = {.name = "HEDDLE_DEVICE_TRANSFERS",
                                                .otherwise = BY_THE_FASTER,
                                                .least = BY_HOST,
                                                .most = BY_DEVICE,
                                                .what = "0 or 1"};

int heddle_transfers_open(struct heddle_device *device, struct heddle_error *error) {
  uint64_t who = BY_THE_FASTER;
  const int result = heddle_environment_number(&variable, &who, error);
  device->transfers_by = (unsigned)who;
  return result;
}

// Nanoseconds of a host that makes so many accesses, which together move so many bytes.
static double host_ns(const struct heddle_device *device, double accesses, double bytes) {
  const struct heddle_link *link = &device->link;
  return IDLE_NS + accesses * link->access_ns + (link->bytes_a_second != 0 ? bytes * 1e9 / link->bytes_a_second : 0);
}

static bool prefers_device(const struct heddle_device *device, double cycles, double by_host) {
  if (!heddle_has_processor(device))
    return false;
  if (device->transfers_by != BY_THE_FASTER)
    return device->transfers_by == BY_DEVICE;
  return cycles * 1e6 / device->capability.clock_khz <= by_host;
}

bool heddle_device_copies(const struct heddle_device *device, const struct heddle_copy *copy) {
  const double rows = copy->rows > 1 ? copy->rows : 1, bytes = rows * copy->bytes;
  uint32_t apart = copy->source ^ copy->destination;
  if (copy->rows > 1)
    apart |= copy->source_pitch ^ copy->destination_pitch;
  const double cycles = rows * CYCLES_A_ROW + bytes * (apart % 4 == 0 ? CYCLES_A_BYTE : CYCLES_AN_UNALIGNED_BYTE);
  return prefers_device(device, cycles, host_ns(device, 2 * rows, 2 * bytes));
}

bool heddle_device_fills(const struct heddle_device *device, uint64_t bytes) {
  return prefers_device(device, CYCLES_A_ROW + (double)bytes * CYCLES_A_FILLED_BYTE, host_ns(device, 1, (double)bytes));
}
