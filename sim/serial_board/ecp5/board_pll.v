// SPDX-License-Identifier: Apache-2.0
// Stands in for the PLL that ecppll makes for a board: what comes in is taken to have the frequency that would come out. Locks
// after 31 cycles. What is late by a part of a cycle is so by the order in which a simulation does things.
`default_nettype none

module board_pll (
    input  wire clkin,
    output wire clkout0,
    output wire clkout1,
    output wire locked
);
  assign clkout0 = clkin;
  assign clkout1 = clkin;
  reg [4:0] count;
  initial count = 0;
  always @(posedge clkin) if (!locked) count <= count + 1'b1;
  assign locked = &count;
endmodule

`default_nettype wire
