// SPDX-License-Identifier: Apache-2.0
// The PLL of an ECP5 as FPGA-TN-02200 (sysClock) describes it, but for how it finds its frequency: CLKI is taken to have CLKI_MHZ, a
// multiple of the VCO's, which a PLL makes of REFERENCE_MHZ. Outputs are late by whole cycles of the VCO. Locks after 256 cycles of CLKI.
`default_nettype none
`ifndef REFERENCE_MHZ
`define REFERENCE_MHZ 25
`endif

module EHXPLLL #(
    parameter CLKI_DIV = 1,
    parameter CLKFB_DIV = 1,
    parameter CLKOP_DIV = 8,
    parameter CLKOS_DIV = 8,
    parameter CLKOS2_DIV = 8,
    parameter CLKOS3_DIV = 8,
    parameter CLKOP_CPHASE = 0,
    parameter CLKOS_CPHASE = 0,
    parameter CLKOS2_CPHASE = 0,
    parameter CLKOS3_CPHASE = 0,
    parameter CLKOP_FPHASE = 0,
    parameter CLKOS_FPHASE = 0,
    parameter CLKOS2_FPHASE = 0,
    parameter CLKOS3_FPHASE = 0,
    parameter CLKOP_ENABLE = "ENABLED",
    parameter CLKOS_ENABLE = "DISABLED",
    parameter CLKOS2_ENABLE = "DISABLED",
    parameter CLKOS3_ENABLE = "DISABLED",
    parameter FEEDBK_PATH = "CLKOP",
    parameter DPHASE_SOURCE = "DISABLED",
    parameter INTFB_WAKE = "DISABLED",
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB",
    parameter OUTDIVIDER_MUXC = "DIVC",
    parameter OUTDIVIDER_MUXD = "DIVD",
    parameter PLLRST_ENA = "DISABLED",
    parameter STDBY_ENABLE = "DISABLED"
) (
    input  wire CLKI,
    input  wire CLKFB,
    input  wire PHASESEL1,
    input  wire PHASESEL0,
    input  wire PHASEDIR,
    input  wire PHASESTEP,
    input  wire PHASELOADREG,
    input  wire STDBY,
    input  wire PLLWAKESYNC,
    input  wire RST,
    input  wire ENCLKOP,
    output reg  CLKOP,
    output reg  CLKOS,
    output reg  CLKOS2,
    output reg  CLKOS3,
    output wire CLKINTFB,
    output wire LOCK
);
  localparam VCO_MHZ = `REFERENCE_MHZ * CLKFB_DIV * CLKOP_DIV / CLKI_DIV;
  localparam STEPS = `CLKI_MHZ / VCO_MHZ;  // of CLKI in a cycle of the VCO
  generate
    if (FEEDBK_PATH != "CLKOP" || STEPS * VCO_MHZ != `CLKI_MHZ || VCO_MHZ < 400 || VCO_MHZ > 800)
      this_model_cannot_do_that refused ();
  endgenerate
  wire unused = &{CLKFB, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, STDBY, PLLWAKESYNC, RST, ENCLKOP};
  assign CLKINTFB = 1'b0;

  reg [15:0] op, os, os2, os3;  // steps of the cycle that has begun
  reg [8:0] count;
  initial {op, os, os2, os3, count} = 0;
  initial {CLKOP, CLKOS, CLKOS2, CLKOS3} = 0;
  assign LOCK = count[8];
  // A cycle begins with the edge that falls, and the last of all to begin is the one with the greatest phase.
  localparam OP_LATE = STEPS * CLKOP_CPHASE, OS_LATE = STEPS * CLKOS_CPHASE, OS2_LATE = STEPS * CLKOS2_CPHASE, OS3_LATE = STEPS * CLKOS3_CPHASE;
  function [15:0] next(input [15:0] now, input integer steps);
    next = {16'd0, now} + 1 == steps ? 16'd0 : now + 16'd1;
  endfunction
  function high(input [15:0] now, input integer steps, input integer late);
    high = ({16'd0, now} + 2 * steps - late % steps) % steps < steps / 2;
  endfunction
  always @(posedge CLKI) begin
    if (!count[8]) count <= count + 9'd1;
    op <= next(op, STEPS * CLKOP_DIV);
    os <= next(os, STEPS * CLKOS_DIV);
    os2 <= next(os2, STEPS * CLKOS2_DIV);
    os3 <= next(os3, STEPS * CLKOS3_DIV);
    CLKOP <= high(op, STEPS * CLKOP_DIV, OP_LATE);
    CLKOS <= high(os, STEPS * CLKOS_DIV, OS_LATE);
    CLKOS2 <= high(os2, STEPS * CLKOS2_DIV, OS2_LATE);
    CLKOS3 <= high(os3, STEPS * CLKOS3_DIV, OS3_LATE);
  end
endmodule

`default_nettype wire
