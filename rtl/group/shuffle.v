// SPDX-License-Identifier: Apache-2.0
// Which lane's word each lane of a sub-group wants: what a crossbar needs for a shuffle. One a cycle, registered; all
// zeros when there is none, so that others that use the crossbar need only be ORed in.
`default_nettype none

module shuffle #(
    parameter LANES = 8  // power of two, 1 to 32
) (
    input wire clk,

    // stage e1
    input wire                e1_shuffle_i,
    input wire [LANES*32-1:0] e1_a_i,        // rs1: the words
    input wire [LANES*32-1:0] e1_b_i,        // rs2: of each lane, modulo 32, the lane whose word it wants
    input wire [   LANES-1:0] e1_lanes_i,    // that execute the shuffle; the words of others are 0

    // stage e2
    output reg [   LANES*32-1:0] e2_word_o,
    output reg [LANES*LANES-1:0] e2_from_o  // of each lane, the lane whose word it gets, one-hot
);
  integer i, j;
  always @(posedge clk) begin
    e2_word_o <= e1_shuffle_i ? e1_a_i : {LANES * 32{1'b0}};
    for (i = 0; i < LANES; i = i + 1)
    for (j = 0; j < LANES; j = j + 1)
    e2_from_o[i*LANES+j] <= e1_shuffle_i && e1_lanes_i[j] && e1_b_i[i*32+:5] == j[4:0];
  end

  // Upper bits of rs2 do not count.
  reg unused;
  always @* begin
    unused = 1'b0;
    for (i = 0; i < LANES; i = i + 1) unused = unused & (&e1_b_i[i*32+5+:27]);
  end
endmodule

`default_nettype wire
