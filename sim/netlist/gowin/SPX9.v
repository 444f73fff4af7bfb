// SPDX-License-Identifier: Apache-2.0
// Gowin's block RAM with one port, of words of nine bits (UG285): what is read comes the cycle after, where it is written
// what was there before.
`default_nettype none

module SPX9 #(
    `include "sim/netlist/gowin/contents_parameters.vh"
    parameter [0:0] READ_MODE = 0,
    parameter WRITE_MODE = 2,
    parameter BIT_WIDTH = 9,
    parameter [2:0] BLK_SEL = 0,
    parameter RESET_MODE = "SYNC"
) (
    output reg  [35:0] DO,
    input  wire [35:0] DI,
    input  wire [ 2:0] BLKSEL,
    input  wire [13:0] AD,
    input  wire        WRE,
    CLK,
    CE,
    OCE,
    RESET
);
  `include "sim/netlist/gowin/contents.vh"
  reg [8:0] words[0:2047];
  integer i;
  initial begin
    if (READ_MODE != 0 || WRITE_MODE != 2 || BIT_WIDTH != 9) $fatal(1, "SPX9: a mode that its model lacks");
    for (i = 0; i < 2048; i = i + 1) words[i] = INIT[9*i+:9];
    DO = 36'd0;
  end
  always @(posedge CLK) begin
    if (RESET) $fatal(1, "SPX9: reset, which its model lacks");
    if (CE && BLKSEL == BLK_SEL) begin
      if (WRE) words[AD[13:3]] <= DI[8:0];
      DO <= {27'd0, words[AD[13:3]]};
    end
  end
  wire unused = &{OCE, DI, AD};
endmodule

`default_nettype wire
