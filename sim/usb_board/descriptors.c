// SPDX-License-Identifier: Apache-2.0
// See descriptors.h.
#include "sim/usb_board/descriptors.h"

#include <stdbool.h>
#include <string.h>

enum { VENDOR = 0x1209, PRODUCT = 0x0001, BULK = 2 };

static const char *const strings[] = {NULL, "Heddle", "Heddle simulated board", "1"};

static size_t string(unsigned index, uint8_t *data) {
  static const uint8_t languages[] = {4, USB_BOARD_STRING, 0x09, 0x04};  // English
  if (index == 0) {
    memcpy(data, languages, sizeof languages);
    return sizeof languages;
  }
  if (index >= sizeof strings / sizeof *strings)
    return 0;
  size_t bytes = 2;
  for (const char *at = strings[index]; *at; at++) {
    data[bytes++] = (uint8_t)*at;  // UTF-16
    data[bytes++] = 0;
  }
  data[0] = (uint8_t)bytes;
  data[1] = USB_BOARD_STRING;
  return bytes;
}

size_t usb_board_descriptor(unsigned packet_bytes, unsigned type, unsigned index, uint8_t *data) {
  const uint8_t low = packet_bytes & 0xFF, high = (uint8_t)(packet_bytes >> 8);
  const uint8_t device[] = {18,          USB_BOARD_DEVICE, 0x00,         0x02, 0,    0, 0, 64, VENDOR & 0xFF,
                            VENDOR >> 8, PRODUCT & 0xFF,   PRODUCT >> 8, 0x00, 0x01, 1, 2, 3,  1};
  const uint8_t configuration[] = {
      9,
      USB_BOARD_CONFIGURATION,
      32,
      0,
      1,
      1,
      0,
      0x80,
      50,  // one interface; powered by the bus, 100 mA
      9,
      4,
      0,
      0,
      2,
      0xFF,
      0,
      0,
      0,  // interface 0 of class 0xFF: two endpoints
      7,
      5,
      USB_BOARD_IN,
      BULK,
      low,
      high,
      0,  // to the host
      7,
      5,
      USB_BOARD_OUT,
      BULK,
      low,
      high,
      0,  // to the board
  };
  if (type == USB_BOARD_STRING)
    return string(index, data);
  const bool is_device = type == USB_BOARD_DEVICE;
  if (index != 0 || (!is_device && type != USB_BOARD_CONFIGURATION))
    return 0;
  const size_t bytes = is_device ? sizeof device : sizeof configuration;
  memcpy(data, is_device ? device : configuration, bytes);
  return bytes;
}
