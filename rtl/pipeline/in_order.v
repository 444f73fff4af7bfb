// SPDX-License-Identifier: Apache-2.0
// Rounds of a loop that overlap (rounds.v) go on in their order: one without any load does not wait for an answer, and
// would be before those that do. Slots come in their order, the first 0. A round a cycle; one whose turn it is goes on
// in the same cycle.
`default_nettype none

module in_order #(
    parameter SLOT_BITS = 5  // log2 of the slots
) (
    input wire clk,
    input wire rst,

    input wire                 valid_i,
    input wire [SLOT_BITS-1:0] slot_i,

    output wire valid_o,
    output wire [SLOT_BITS-1:0] slot_o
);
  reg [(1<<SLOT_BITS)-1:0] waits;
  reg [SLOT_BITS-1:0] turn;
  assign valid_o = waits[turn] || (valid_i && slot_i == turn);
  assign slot_o  = turn;
  always @(posedge clk) begin
    if (valid_i) waits[slot_i] <= 1'b1;
    if (valid_o) begin
      waits[turn] <= 1'b0;
      turn <= turn + 1'b1;
    end
    if (rst) begin
      waits <= 0;
      turn  <= 0;
    end
  end
endmodule

`default_nettype wire
