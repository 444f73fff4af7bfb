// SPDX-License-Identifier: Apache-2.0
// The pins of rtl/boards/ulx3s.v with an SDRAM at them, as board_pins.h has those of board.v.
#ifndef HEDDLE_ULX3S_PINS_H
#define HEDDLE_ULX3S_PINS_H

#include <memory>

#include "Vulx3s.h"
#include "sim/sdram/sdram_chip.h"

// What the board drives at a pin that goes both ways, and whether: Verilator's names, or those of sim/netlist.
#ifdef NETLIST
#define SIDE(pin, what) pin##_##what
#else
#define SIDE(pin, what) pin##__##what
#endif

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

#if USB
  // A bit's time on USB: what the host drives, unless the board does.
  void bit(bool dp, bool dm) {
    rtl_->usb_fpga_bd_dp = drives() ? this->dp() : dp;
    rtl_->usb_fpga_bd_dn = drives() ? this->dm() : dm;
    step(CLKI_MHZ / 12);
  }
  bool drives() const {
    return rtl_->SIDE(usb_fpga_bd_dp, en);
  }
  bool dp() const {
    return rtl_->SIDE(usb_fpga_bd_dp, out);
  }
  bool dm() const {
    return rtl_->SIDE(usb_fpga_bd_dn, out);
  }
  bool pulls_up() const {
    return rtl_->SIDE(usb_fpga_pu_dp, en) && rtl_->SIDE(usb_fpga_pu_dp, out) && !rtl_->SIDE(usb_fpga_pu_dn, en);
  }
  uint64_t cycles() const {
    return steps_ / kSteps;
  }
#else
  bool cycle(bool line, bool) {
    const bool answer = rtl_->ftdi_rxd;
    rtl_->ftdi_txd = line;
    step(kSteps);
    return answer;
  }
#endif
  bool busy() const {
    return (rtl_->led & 1) != 0 || (rtl_->led & 0x80) == 0;
  }
  const char *wrong() const {
    return !good_ ? "no memory for the SDRAM" : chip_.wrong[0] ? chip_.wrong : nullptr;
  }

 private:
  void step(unsigned count) {
    for (unsigned i = 0; i < count; i++) {
      now_ = ++steps_ * 1000000000 / (kSteps * CLOCK_KHZ);
      clock(false);
      clock(true);
    }
  }
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
    pins.dq_driven = rtl_->SIDE(sdram_d, en) == 0xFFFF;
    pins.dq = rtl_->SIDE(sdram_d, out);
    sdram_chip_edge(&chip_, now_, &pins);
    rtl_->sdram_d = chip_.dq;
    rtl_->eval();
  }

#ifdef CLKI_MHZ
  static constexpr unsigned kSteps =
      (CLKI_MHZ * 1000 + CLOCK_KHZ / 2) / CLOCK_KHZ;  // of what comes into the PLL in a cycle
#else
  static constexpr unsigned kSteps = 1;
#endif
  static constexpr uint64_t kStart =
      (uint64_t)24 * 1000000000 / CLOCK_KHZ;  // ps; before, the clock is not there and registers hold anything
  const std::unique_ptr<Vulx3s> rtl_;
  sdram_chip chip_;
  bool good_ = false, sdram_clk_ = false;
  uint64_t now_ = 0, steps_ = 0;  // ps
};

#endif
