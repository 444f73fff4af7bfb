// SPDX-License-Identifier: Apache-2.0
// The pins of rtl/boards/hx8k.v.
#ifndef HEDDLE_HX8K_PINS_H
#define HEDDLE_HX8K_PINS_H

#include "Vhx8k.h"
#include "sim/serial_board/ice40_pins.h"

class BoardPins : public Ice40Pins<Vhx8k> {
 public:
  using Ice40Pins::Ice40Pins;
  bool busy() const {
    return (rtl_->led & 1) != 0 || (rtl_->led & 0x80) == 0;
  }
};

#endif
