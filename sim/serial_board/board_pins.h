// SPDX-License-Identifier: Apache-2.0
// The pins of board.v, a board that is only simulated. ulx3s_pins.h has the same for a real one.
#ifndef HEDDLE_BOARD_PINS_H
#define HEDDLE_BOARD_PINS_H

#include <memory>

#include "Vboard.h"

class BoardPins {
 public:
  explicit BoardPins(VerilatedContext *context) : rtl_(std::make_unique<Vboard>(context)) {}
  ~BoardPins() {
    rtl_->final();
  }

  // One cycle: what the host's line says; in the first ones the board starts. Returns what the board's line says.
  bool cycle(bool line, bool starts) {
    rtl_->rst = starts;
    rtl_->uart_rx_i = line;
    rtl_->clk = 0;
    rtl_->eval();
    const bool answer = rtl_->uart_tx_o;
    rtl_->clk = 1;
    rtl_->eval();
    return answer;
  }
  bool busy() const {
    return rtl_->led_busy_o;
  }
  // What the board does to its parts that their data sheets forbid, or nullptr.
  const char *wrong() const {
    return nullptr;
  }

 private:
  const std::unique_ptr<Vboard> rtl_;
};

#endif
