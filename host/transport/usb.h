// SPDX-License-Identifier: Apache-2.0
// The transport of boards on USB: an interface of class 0xFF with a bulk endpoint each way, and the frames of frames.h
// on them ("USB" in rtl/DEVICE.md).
#ifndef HEDDLE_USB_H
#define HEDDLE_USB_H

#include <stdbool.h>
#include <stddef.h>

#include "host/device/driver.h"

// Where a board is plugged in, and which plugging that is: the kernel counts them.
struct heddle_usb_place {
  unsigned bus, address;
  unsigned long long plugged;  // number of its folder in sysfs, which is made anew each time
};

// The boards that are plugged in now, in the order of their places, at most so many. Loads nothing and opens none;
// thread-safe.
size_t heddle_usb_list(struct heddle_usb_place *places, size_t most);

bool heddle_usb_same(const struct heddle_usb_place *a, const struct heddle_usb_place *b);

// Opens a board for this process alone. 0, or a negative errno with *error in words: -EBUSY names the process that has
// it, -EACCES what to do, -ENODEV: it has gone.
int heddle_usb_open(const struct heddle_usb_place *place, struct heddle_link *link, struct heddle_error *error);

#endif
