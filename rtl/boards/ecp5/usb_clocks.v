// SPDX-License-Identifier: Apache-2.0
// 48 and 12 MHz of 25 MHz, exactly, with edges in step. ecppll finds no such PLL, since it takes feedback only from an
// output that was asked for: here it is from one of 60 MHz, a twelfth of which, 5 MHz, is compared with a fifth of what
// comes in; the VCO has 480 MHz (FPGA-TN-02200: 400 to 800, and at least 3.125 to compare).
`default_nettype none

module usb_clocks (
    input  wire clk_25mhz,
    output wire clk48_o,
    output wire clk12_o,
    output wire locked_o
);
  wire feedback;
  (* FREQUENCY_PIN_CLKI="25", FREQUENCY_PIN_CLKOP="60", FREQUENCY_PIN_CLKOS="48", FREQUENCY_PIN_CLKOS2="12" *)
      (* ICP_CURRENT="12", LPF_RESISTOR="8", MFG_ENABLE_FILTEROPAMP="1", MFG_GMCREF_SEL="2" *)
  EHXPLLL #(
      .PLLRST_ENA("DISABLED"),
      .INTFB_WAKE("DISABLED"),
      .STDBY_ENABLE("DISABLED"),
      .DPHASE_SOURCE("DISABLED"),
      .OUTDIVIDER_MUXA("DIVA"),
      .OUTDIVIDER_MUXB("DIVB"),
      .OUTDIVIDER_MUXC("DIVC"),
      .OUTDIVIDER_MUXD("DIVD"),
      .FEEDBK_PATH("CLKOP"),
      .CLKI_DIV(5),
      .CLKFB_DIV(12),
      .CLKOP_ENABLE("ENABLED"),
      .CLKOP_DIV(8),
      .CLKOP_CPHASE(3),
      .CLKOP_FPHASE(0),
      .CLKOS_ENABLE("ENABLED"),
      .CLKOS_DIV(10),
      .CLKOS_CPHASE(3),
      .CLKOS_FPHASE(0),
      .CLKOS2_ENABLE("ENABLED"),
      .CLKOS2_DIV(40),
      .CLKOS2_CPHASE(3),
      .CLKOS2_FPHASE(0)
  ) pll (
      .CLKI(clk_25mhz),
      .CLKFB(feedback),
      .CLKOP(feedback),
      .CLKOS(clk48_o),
      .CLKOS2(clk12_o),
      .LOCK(locked_o),
      .RST(1'b0),
      .STDBY(1'b0),
      .PHASESEL0(1'b0),
      .PHASESEL1(1'b0),
      .PHASEDIR(1'b1),
      .PHASESTEP(1'b1),
      .PHASELOADREG(1'b1),
      .PLLWAKESYNC(1'b0),
      .ENCLKOP(1'b0)
  );
endmodule

`default_nettype wire
