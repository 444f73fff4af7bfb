// SPDX-License-Identifier: Apache-2.0
// Looks at a device's clock while it is waited for (watch.h).
#include "host/device/watch.h"

#include <errno.h>
#include <time.h>

#include "host/device/device.h"

enum { MS_A_LOOK = 250, MS_A_SPAN = 5000 };

// A device may be so many times as slow as it says: boards that are simulated.
enum { SLOWEST = 10000 };

// Device cycles beyond those that a command is allowed: for what is under way when it is stopped, and for a firmware
// that is at something else. A copy or fill has so many for each byte, and for each row.
enum { GRACE = 1 << 24, CYCLES_A_BYTE = 64, CYCLES_A_ROW = 4096 };

static double milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// Cycles that the command the device is at may take; 0: any number.
static uint64_t limit_of(const struct heddle_ring_command *c) {
  if (heddle_ring_command_dispatches(c))
    return c->budget == 0 || c->budget > UINT64_MAX - GRACE ? 0 : c->budget + GRACE;
  const uint32_t *words = c->words, kind = words[HEDDLE_RING_KIND] & ~(uint32_t)HEDDLE_RING_BARRIER;
  if (kind == HEDDLE_RING_IS_FILL)
    return (uint64_t)words[HEDDLE_RING_FILL_BYTES] * CYCLES_A_BYTE + GRACE;
  if (kind != HEDDLE_RING_IS_COPY)
    return GRACE;
  const uint64_t row = (uint64_t)words[HEDDLE_RING_COPY_BYTES] * CYCLES_A_BYTE + CYCLES_A_ROW;
  const uint64_t rows = (uint64_t)words[HEDDLE_RING_COPY_MORE_ROWS] + 1;
  return row > (UINT64_MAX - GRACE) / rows ? 0 : row * rows + GRACE;
}

// Cycles that a device makes in a span at least.
static uint64_t least_cycles(const struct heddle_device *device) {
  const uint64_t nominal = (uint64_t)device->capability.clock_khz * MS_A_SPAN;
  const uint64_t slowest = (uint64_t)SLOWEST * (device->link.patience ? device->link.patience : 1);
  return nominal / slowest + 1;
}

static int look(struct heddle_device *device, struct heddle_watch *watch, double passed) {
  const struct heddle_ring_command *c = heddle_ring_command_at(device, device->commands.head);
  uint64_t clock = 0;
  const int result = heddle_figure_read(device, HEDDLE_REG_CLOCK, &clock);
  if (result != 0)
    return result;
  if (!watch->begun)
    *watch = (struct heddle_watch){.begun = true, .clock = clock, .span_from = clock, .since = clock};
  if (watch->head != device->commands.head) {
    watch->head = device->commands.head;
    watch->stopped = false;
    watch->since = clock;
  }
  if (clock < watch->clock)
    return heddle_lose(device, -EIO, "the device's clock runs backwards");
  watch->clock = clock;
  watch->span_ms += passed;
  if (watch->span_ms >= MS_A_SPAN) {
    if (clock - watch->span_from < least_cycles(device))
      return heddle_lose(device, -EIO, "the device says that it is busy, but its clock stands still");
    watch->span_ms = 0;
    watch->span_from = clock;
  }
  const uint64_t limit = limit_of(c);
  if (limit == 0 || clock - watch->since <= (watch->stopped ? GRACE : limit))
    return 0;
  if (watch->stopped || !heddle_ring_command_dispatches(c))
    return heddle_lose(device, -EIO, "the device does not end a command that has taken longer than it can");
  watch->stopped = true;
  watch->since = clock;
  return device->link.transport->doorbell(device->link.state, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_STOP);
}

int heddle_watch(struct heddle_device *device, struct heddle_watch *watch) {
  const double now = milliseconds_now(), passed = now - watch->looked_ms;
  if (watch->looked_ms != 0 && passed < MS_A_LOOK)
    return 0;
  const bool is_first = watch->looked_ms == 0;
  // A host that was suspended did not wait meanwhile.
  const int result = is_first ? 0 : look(device, watch, passed < 2.0 * MS_A_LOOK ? passed : 2.0 * MS_A_LOOK);
  watch->looked_ms = now;
  return result;
}
