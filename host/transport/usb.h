// SPDX-License-Identifier: Apache-2.0
// The transport of boards on USB: an interface of class 0xFF with a bulk endpoint each way, and the frames of frames.h
// on them ("USB" in contract/DEVICE.md).
#ifndef HEDDLE_USB_H
#define HEDDLE_USB_H

#include <stddef.h>

#include "contract/error.h"
#include "host/transport/bus_location.h"
#include "host/transport/transport.h"

// Lists the boards that are plugged in now, `most` of them at most, in the order of their bus locations. Returns how
// many. Does not load libusb and opens no board. Thread-safe.
size_t heddle_usb_list(struct heddle_bus_location *locations, size_t most);

// Opens a board for this process alone. 0, or a negative errno with *error in words: -EBUSY names the process that has
// it, -EACCES what to do, -ENODEV: the board was pulled out.
int heddle_usb_open(const struct heddle_bus_location *location, struct heddle_link *link, struct heddle_error *error);

#endif
