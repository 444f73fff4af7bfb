// SPDX-License-Identifier: Apache-2.0
// Hands the walker's work-groups out to the units: offers the next one to one unit after the other, a cycle each, until one takes it. The
// walker hears of it the cycle after, since both are large and far apart, and in that cycle none is offered: a work-group in two cycles. A
// unit with room waits 2 * UNITS - 1 cycles at most, and many small work-groups are spread evenly. Only units of the dispatch's kind count.
`default_nettype none

module hand_out #(
    parameter UNITS = 1
) (
    input wire clk,
    input wire rst,

    input wire [UNITS-1:0] units_i,  // those that the dispatch may run on

    // the walker
    input  wire group_valid_i,
    output reg  group_ready_o,  // its work-group was taken in the cycle before

    // the units; one that is offered a work-group may take it in that cycle
    output wire [UNITS-1:0] group_valid_o,
    input  wire [UNITS-1:0] group_ready_i
);
  localparam [UNITS-1:0] FIRST = 1;
  reg [UNITS-1:0] turn;
  always @(posedge clk) begin
    group_ready_o <= !rst && (group_valid_o & group_ready_i) != 0;
    if (!group_ready_o) turn <= (turn << 1) | (turn >> (UNITS - 1));
    if (rst) turn <= FIRST;
  end
  assign group_valid_o = turn & units_i & {UNITS{group_valid_i && !group_ready_o}};
endmodule

`default_nettype wire
