// SPDX-License-Identifier: Apache-2.0
// Gowin's block RAM with two ports, of words of nine bits (UG285): what is read comes the cycle after, where it is written
// the new word. A word that is read while the other port writes it comes with wrong bits, since nothing is promised.
`default_nettype none

module DPX9B #(
    `include "sim/netlist/gowin/contents_parameters.vh"
    parameter [0:0] READ_MODE0 = 0,
    parameter [0:0] READ_MODE1 = 0,
    parameter WRITE_MODE0 = 1,
    parameter WRITE_MODE1 = 1,
    parameter BIT_WIDTH_0 = 9,
    parameter BIT_WIDTH_1 = 9,
    parameter [2:0] BLK_SEL_0 = 0,
    parameter [2:0] BLK_SEL_1 = 0,
    parameter RESET_MODE = "SYNC"
) (
    output reg  [17:0] DOA,
    output reg  [17:0] DOB,
    input  wire [17:0] DIA,
    input  wire [17:0] DIB,
    input  wire [ 2:0] BLKSELA,
    input  wire [ 2:0] BLKSELB,
    input  wire [13:0] ADA,
    input  wire [13:0] ADB,
    input  wire        WREA,
    WREB,
    CLKA,
    CLKB,
    CEA,
    CEB,
    OCEA,
    OCEB,
    RESETA,
    RESETB
);
  `include "sim/netlist/gowin/contents.vh"
  reg [8:0] words[0:2047];
  integer i;
  initial begin
    if (READ_MODE0 != 0 || READ_MODE1 != 0 || BIT_WIDTH_0 != 9 || BIT_WIDTH_1 != 9)
      $fatal(1, "DPX9B: a mode that its model lacks");
    if (WRITE_MODE0 != 1 || WRITE_MODE1 != 1) $fatal(1, "DPX9B: a mode that its model lacks");
    for (i = 0; i < 2048; i = i + 1) words[i] = INIT[9*i+:9];
    {DOA, DOB} = 36'd0;
  end
  wire a = CEA && BLKSELA == BLK_SEL_0, b = CEB && BLKSELB == BLK_SEL_1, same = a && b && ADA[13:3] == ADB[13:3];
  wire [8:0] was_a = words[ADA[13:3]], was_b = words[ADB[13:3]];
  always @(posedge CLKA) begin
    if (RESETA) $fatal(1, "DPX9B: reset, which its model lacks");
    if (a) begin
      if (WREA) words[ADA[13:3]] <= DIA[8:0];
      DOA <= {9'd0, WREA ? DIA[8:0] : same && WREB ? ~was_a : was_a};
    end
  end
  always @(posedge CLKB) begin
    if (RESETB) $fatal(1, "DPX9B: reset, which its model lacks");
    if (b) begin
      if (WREB) words[ADB[13:3]] <= DIB[8:0];
      DOB <= {9'd0, WREB ? DIB[8:0] : same && WREA ? ~was_b : was_b};
    end
  end
  wire unused = &{OCEA, OCEB, DIA, DIB, ADA, ADB};
endmodule

`default_nettype wire
