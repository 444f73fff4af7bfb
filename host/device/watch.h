// SPDX-License-Identifier: Apache-2.0
// Whether a device that is waited for still gets on. Every wait of the driver ends: the device ends the command, or it
// is found here that it does not, and the device is lost (device.h).
#ifndef HEDDLE_WATCH_H
#define HEDDLE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_device;

// Of one wait. All zeros at the start.
struct heddle_watch {
  bool begun, stopped;
  uint32_t head;       // the command that the device is at
  double looked_ms;    // when it was last looked at, on the host's clock
  uint64_t clock;      // the device's, then
  double span_ms;      // so much of the host's time has passed of a span in which that has to move far enough
  uint64_t span_from;  // the device's clock at its beginning
  uint64_t since;      // the device's clock when it began that command, or was told to stop it
};

// To be called again and again while commands are in flight; looks four times a second. The caller holds `access`. 0;
// -EIO: the device's clock stands still, or all but, or runs backwards, or a command takes longer than it can: its
// budget, or what its bytes allow. One that is over its budget is stopped first. The device is lost then.
int heddle_watch(struct heddle_device *device, struct heddle_watch *watch);

#endif
