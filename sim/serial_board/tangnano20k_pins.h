// SPDX-License-Identifier: Apache-2.0
// The pins of rtl/boards/tangnano20k.v, as board_pins.h has it.
#ifndef HEDDLE_TANGNANO20K_PINS_H
#define HEDDLE_TANGNANO20K_PINS_H

#include <memory>

#include "Vtangnano20k.h"

class BoardPins {
 public:
  explicit BoardPins(VerilatedContext *context) : rtl_(std::make_unique<Vtangnano20k>(context)) {}
  ~BoardPins() {
    rtl_->final();
  }
  BoardPins(const BoardPins &) = delete;
  BoardPins &operator=(const BoardPins &) = delete;

  bool cycle(bool line, bool) {
    rtl_->uart_rx = line;
    rtl_->clk_27mhz = 0;
    rtl_->eval();
    const bool answer = rtl_->uart_tx;
    rtl_->clk_27mhz = 1;
    rtl_->eval();
    return answer;
  }
  bool busy() const {
    return (rtl_->led_n & 1) == 0 || (rtl_->led_n & 2) != 0;
  }
  const char *wrong() const {
    return nullptr;
  }

 private:
  const std::unique_ptr<Vtangnano20k> rtl_;
};

#endif
