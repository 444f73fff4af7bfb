// SPDX-License-Identifier: Apache-2.0
// The pins of rtl/boards/orangecrab.v, whose DDR3 is a model behind its PHY, as ulx3s_pins.h has those of the
// ULX3S.
#ifndef HEDDLE_ORANGECRAB_PINS_H
#define HEDDLE_ORANGECRAB_PINS_H

#include <cstdlib>
#include <memory>

#include "Vorangecrab.h"
#include "sim/ddr3/ddr3_chip.h"

class BoardPins {
 public:
  // Gives it power, and time for its memory to start.
  explicit BoardPins(VerilatedContext *context) : rtl_(std::make_unique<Vorangecrab>(context)) {
    good_ = ddr3_chip_begin(&chip_);
    ddr3_chip_use(&chip_);
    if (getenv("HEDDLE_SIM_BROKEN_MEMORY"))
      chip_.windows[0].arrives = 0;
    rtl_->usr_btn = 1;
    for (unsigned i = 0; i < kBitsOfReset || (i < kMostBitsToStart && !pulls_up()); i++)
      bit(false, false);
  }
  ~BoardPins() {
    rtl_->final();
    ddr3_chip_end(&chip_);
  }
  BoardPins(const BoardPins &) = delete;
  BoardPins &operator=(const BoardPins &) = delete;

  // A bit's time on USB: what the host drives, unless the board does.
  void bit(bool dp, bool dm) {
    rtl_->usb_d_p = drives() ? this->dp() : dp;
    rtl_->usb_d_n = drives() ? this->dm() : dm;
    for (unsigned i = 0; i < CLKI_MHZ / 12; i++, steps_++)
      for (int level = 0; level < 2; level++) {
        rtl_->clk48 = level;
        rtl_->eval();
      }
  }
  bool drives() const {
    return rtl_->usb_d_p__en;
  }
  bool dp() const {
    return rtl_->usb_d_p__out;
  }
  bool dm() const {
    return rtl_->usb_d_n__out;
  }
  bool pulls_up() const {
    return rtl_->usb_pullup__en && rtl_->usb_pullup__out;
  }
  uint64_t cycles() const {
    return steps_ * CLOCK_KHZ / (CLKI_MHZ * 1000);
  }
  bool busy() const {
    return !rtl_->rgb_led0_b || rtl_->rgb_led0_g;
  }
  const char *wrong() const {
    return !good_ ? "no memory for the DDR3" : chip_.wrong[0] ? chip_.wrong : nullptr;
  }

 private:
  static constexpr unsigned kBitsOfReset = 100;        // before, registers hold anything
  static constexpr unsigned kMostBitsToStart = 48000;  // 4 ms
  const std::unique_ptr<Vorangecrab> rtl_;
  ddr3_chip chip_;
  bool good_ = false;
  uint64_t steps_ = 0;  // of what comes into the PLL
};

#endif
