// SPDX-License-Identifier: Apache-2.0
// The pins of boards/ulx3s/ulx3s.v with an SDRAM at them, as board_pins.h has those of board.v.
#ifndef HEDDLE_ULX3S_PINS_H
#define HEDDLE_ULX3S_PINS_H

#include <memory>

#include "Vulx3s.h"
#include "sim/sdram/sdram_chip.h"

class BoardPins {
 public:
  explicit BoardPins(VerilatedContext *context) : rtl_(std::make_unique<Vulx3s>(context)) {
    good_ = sdram_chip_begin(&chip_, now_);
  }
  ~BoardPins() {
    rtl_->final();
    sdram_chip_end(&chip_);
  }
  BoardPins(const BoardPins &) = delete;
  BoardPins &operator=(const BoardPins &) = delete;

  bool cycle(bool line, bool) {
    now_ += kCycle;
    rtl_->ftdi_txd = line;
    clock(false);
    const bool answer = rtl_->ftdi_rxd;
    clock(true);
    return answer;
  }
  bool busy() const {
    return (rtl_->led & 1) != 0 || (rtl_->led & 0x80) == 0;
  }
  const char *wrong() const {
    return !good_ ? "no memory for the SDRAM" : chip_.wrong[0] ? chip_.wrong : nullptr;
  }

 private:
  // The chip's clock rises a little after ours, when our registers have changed; what it drives comes behind its edge.
  void clock(bool level) {
    rtl_->clk_25mhz = level;
    rtl_->eval();
    const bool rises = rtl_->sdram_clk && !sdram_clk_;
    sdram_clk_ = rtl_->sdram_clk;
    if (!rises || !good_ || now_ < kStart)
      return;
    sdram_pins pins = {};
    pins.cke = rtl_->sdram_cke;
    pins.cs_n = rtl_->sdram_csn;
    pins.ras_n = rtl_->sdram_rasn;
    pins.cas_n = rtl_->sdram_casn;
    pins.we_n = rtl_->sdram_wen;
    pins.ba = rtl_->sdram_ba;
    pins.a = rtl_->sdram_a;
    pins.dqm = rtl_->sdram_dqm;
    pins.dq_driven = rtl_->sdram_d__en == 0xFFFF;
    pins.dq = rtl_->sdram_d__out;
    sdram_chip_edge(&chip_, now_, &pins);
    rtl_->sdram_d = chip_.dq;
    rtl_->eval();
  }

  static constexpr uint64_t kCycle = 1000000000 / CLOCK_KHZ;  // ps
  static constexpr uint64_t kStart = 24 * kCycle;  // before, the clock is not there and registers hold anything
  const std::unique_ptr<Vulx3s> rtl_;
  sdram_chip chip_;
  bool good_ = false, sdram_clk_ = false;
  uint64_t now_ = 0;
};

#endif
