// SPDX-License-Identifier: Apache-2.0
// A USB device that is not there: umockdev shows it to this process in sysfs and /dev, and what libusb asks the kernel
// (usbdevfs) is answered here, from a simulated board. So libusb and libheddle.so run as they are.
//
// Threads: umockdev answers on a thread of its own, the board runs on another. Every function may be called at any
// time.
#ifndef HEDDLE_TESTS_USB_BED_H
#define HEDDLE_TESTS_USB_BED_H

#include <stdbool.h>
#include <stdint.h>

enum usb_bed_board {
  USB_BED_MODEL,      // the golden model, sim/link: 4 lanes, 8 slots, a command processor, 4 MiB
  USB_BED_VERILATED,  // heddle-board, the Verilated device behind its serial port
};

// What is to go wrong. Each counts transfers that it is to happen to, and goes down as it does.
struct usb_bed_trouble {
  int stall_in, stall_out;  // the endpoint halts
  int break_out;            // the board takes one packet of a longer transfer, then the endpoint halts
  int babble;               // the board sends more than was asked for
  int protocol;             // errors on the wire, from the board
  int short_packets;        // 1: packets from the board are of any length, without end
  int no_empty_packet;      // 1: what ends with a full packet is not ended, without end
  int deaf;                 // 1: the board takes nothing and sends nothing, until it is 0
};

// What happened.
struct usb_bed_figures {
  uint64_t submitted, cancelled, halts_cleared, most_packet;
  uint64_t unended;  // transfers that the board ought to have ended
  uint64_t bytes_to_board, bytes_from_board;
  int claimed, in_flight;  // now, of what is plugged in
};

// Shows nothing yet. `packet_bytes` is 64 (full speed) or 512 (high speed).
void usb_bed_create(enum usb_bed_board board, unsigned packet_bytes);

// What it says it is, from the next plugging on. NULL, 0: as it should be.
void usb_bed_pretend(const char *product, int interface_class);

void usb_bed_plug(void);
void usb_bed_unplug(void);

// Where the file is that programs see as /dev/bus/usb/001/….
const char *usb_bed_file(void);

// As if another program had claimed its interface.
void usb_bed_claim(void);

void usb_bed_trouble(const struct usb_bed_trouble *trouble);
struct usb_bed_trouble usb_bed_trouble_left(void);
struct usb_bed_figures usb_bed_figures(void);

#endif
