// SPDX-License-Identifier: Apache-2.0
// Hands the walker's work-groups out to the units: offers the next one to one unit after the other, a cycle each, until one takes it. So
// a unit with room waits UNITS - 1 cycles at most, and many small work-groups are spread evenly.
`default_nettype none

module hand_out #(
    parameter UNITS = 1
) (
    input wire clk,
    input wire rst,

    // the walker
    input  wire group_valid_i,
    output wire group_ready_o,

    // the units; one that is offered a work-group may take it in that cycle
    output wire [UNITS-1:0] group_valid_o,
    input  wire [UNITS-1:0] group_ready_i
);
  localparam [UNITS-1:0] FIRST = 1;
  reg [UNITS-1:0] turn;
  always @(posedge clk) turn <= rst ? FIRST : (turn << 1) | (turn >> (UNITS - 1));
  assign group_valid_o = turn & {UNITS{group_valid_i}};
  assign group_ready_o = (turn & group_ready_i) != 0;
endmodule

`default_nettype wire
