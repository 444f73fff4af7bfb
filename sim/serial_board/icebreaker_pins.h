// SPDX-License-Identifier: Apache-2.0
// The pins of boards/icebreaker/icebreaker.v, as board_pins.h has those of board.v.
#ifndef HEDDLE_ICEBREAKER_PINS_H
#define HEDDLE_ICEBREAKER_PINS_H

#include <memory>

#include "Vicebreaker.h"

class BoardPins {
 public:
  explicit BoardPins(VerilatedContext *context) : rtl_(std::make_unique<Vicebreaker>(context)) {}
  ~BoardPins() {
    rtl_->final();
  }
  BoardPins(const BoardPins &) = delete;
  BoardPins &operator=(const BoardPins &) = delete;

  bool cycle(bool line, bool) {
    rtl_->ftdi_txd = line;
    rtl_->clk_12mhz = 0;
    rtl_->eval();
    const bool answer = rtl_->ftdi_rxd;
    rtl_->clk_12mhz = 1;
    rtl_->eval();
    return answer;
  }
  bool busy() const {
    return !rtl_->led_red_n || rtl_->led_green_n;
  }
  const char *wrong() const {
    return nullptr;
  }

 private:
  const std::unique_ptr<Vicebreaker> rtl_;
};

#endif
