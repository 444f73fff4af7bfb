// SPDX-License-Identifier: Apache-2.0
// What boards with a small device have in common, as board_pins.h has it: a clock of 12 MHz and a serial line.
#ifndef HEDDLE_ICE40_PINS_H
#define HEDDLE_ICE40_PINS_H

#include <memory>

template <class Top>
class Ice40Pins {
 public:
  explicit Ice40Pins(VerilatedContext *context) : rtl_(std::make_unique<Top>(context)) {}
  ~Ice40Pins() {
    rtl_->final();
  }
  Ice40Pins(const Ice40Pins &) = delete;
  Ice40Pins &operator=(const Ice40Pins &) = delete;

  bool cycle(bool line, bool) {
    rtl_->ftdi_txd = line;
    rtl_->clk_12mhz = 0;
    rtl_->eval();
    const bool answer = rtl_->ftdi_rxd;
    rtl_->clk_12mhz = 1;
    rtl_->eval();
    return answer;
  }
  const char *wrong() const {
    return nullptr;
  }

 protected:
  const std::unique_ptr<Top> rtl_;
};

#endif
