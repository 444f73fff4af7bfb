// SPDX-License-Identifier: Apache-2.0
// What a Heddle board on USB says it is: the descriptors that "USB" of contract/DEVICE.md asks for. Used by what
// simulates one, for programs (redir.c) and for tests (tests/transport/usb_bed.c).
#ifndef HEDDLE_USB_BOARD_DESCRIPTORS_H
#define HEDDLE_USB_BOARD_DESCRIPTORS_H

#include <stddef.h>
#include <stdint.h>

// Addresses of its bulk endpoints.
enum { USB_BOARD_IN = 0x81, USB_BOARD_OUT = 0x02 };

// Bytes of a bulk packet.
enum { USB_BOARD_FULL_SPEED = 64, USB_BOARD_HIGH_SPEED = 512 };

enum usb_board_descriptor { USB_BOARD_DEVICE = 1, USB_BOARD_CONFIGURATION = 2, USB_BOARD_STRING = 3 };
enum { USB_BOARD_DESCRIPTOR_BYTES = 255, USB_BOARD_CLASS_AT = 14 };  // in a configuration: the interface's class

// Writes a descriptor, at most USB_BOARD_DESCRIPTOR_BYTES, and returns its length; 0: there is none. A type is any
// number.
size_t usb_board_descriptor(unsigned packet_bytes, unsigned type, unsigned index, uint8_t *data);

#endif
