// SPDX-License-Identifier: Apache-2.0
// The group arbiter: offers the walker's work-group to one unit after the other, one cycle each, until a unit takes it.
// The walker is told in the next cycle: registered, because walker and units are far apart on a chip. No work-group is
// offered in that cycle, so a work-group takes two. A unit with room waits 2 * UNITS - 1 cycles at most, and many small
// work-groups are spread evenly. Only units that the dispatch may run on are offered work-groups.
`default_nettype none

module group_arbiter #(
    parameter UNITS = 1
) (
    input wire clk,
    input wire rst,

    input wire [UNITS-1:0] units_i,  // units that the dispatch may run on

    // the walker
    input  wire group_valid_i,
    output reg  group_ready_o,  // a unit took the work-group in the cycle before

    // the units; a unit that is offered a work-group takes it in that cycle or not
    output wire [UNITS-1:0] group_valid_o,
    input  wire [UNITS-1:0] group_ready_i
);
  localparam [UNITS-1:0] FIRST = 1;
  reg [UNITS-1:0] offered;
  always @(posedge clk) begin
    group_ready_o <= !rst && (group_valid_o & group_ready_i) != 0;
    if (!group_ready_o) offered <= (offered << 1) | (offered >> (UNITS - 1));
    if (rst) offered <= FIRST;
  end
  assign group_valid_o = offered & units_i & {UNITS{group_valid_i && !group_ready_o}};
endmodule

`default_nettype wire
