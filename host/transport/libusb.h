// SPDX-License-Identifier: Apache-2.0
// libusb-1.0, loaded when the first board on USB is opened. Programs that use no such board need no libusb. Called by
// usb.c.
#ifndef HEDDLE_LIBUSB_H
#define HEDDLE_LIBUSB_H

#include <libusb-1.0/libusb.h>

#include "contract/error.h"

// The functions of libusb that usb.c calls, by their names without libusb_.
// clang-format off: it never comes to rest on a list of this length
#define HEDDLE_LIBUSB_FUNCTIONS(X) \
  X(init) \
  X(exit) \
  X(get_device_list) \
  X(free_device_list) \
  X(get_bus_number) \
  X(get_device_address) \
  X(open) \
  X(close) \
  X(get_device) \
  X(get_active_config_descriptor) \
  X(free_config_descriptor) \
  X(claim_interface) \
  X(release_interface) \
  X(clear_halt) \
  X(alloc_transfer) \
  X(free_transfer) \
  X(submit_transfer) \
  X(cancel_transfer) \
  X(handle_events_timeout_completed) \
  X(strerror)
// clang-format on

#define HEDDLE_LIBUSB_POINTER(name) __typeof__(libusb_##name) *name;
struct heddle_libusb {
  HEDDLE_LIBUSB_FUNCTIONS(HEDDLE_LIBUSB_POINTER)
};
#undef HEDDLE_LIBUSB_POINTER

// The library's functions, valid until the process ends. NULL: libusb cannot be loaded, *error says so. Thread-safe.
const struct heddle_libusb *heddle_libusb(struct heddle_error *error);

#endif
