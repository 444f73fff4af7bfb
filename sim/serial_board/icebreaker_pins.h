// SPDX-License-Identifier: Apache-2.0
// The pins of rtl/boards/icebreaker.v.
#ifndef HEDDLE_ICEBREAKER_PINS_H
#define HEDDLE_ICEBREAKER_PINS_H

#include "Vicebreaker.h"
#include "sim/serial_board/ice40_pins.h"

class BoardPins : public Ice40Pins<Vicebreaker> {
 public:
  using Ice40Pins::Ice40Pins;
  bool busy() const {
    return !rtl_->led_red_n || rtl_->led_green_n;
  }
};

#endif
