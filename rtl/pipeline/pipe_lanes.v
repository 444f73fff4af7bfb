// SPDX-License-Identifier: Apache-2.0
// The lanes of a token at a pipe on the chip, one after the other, the lowest first: what pipe_read.v and pipe_write.v
// share. A lane a cycle where the pipe answers; a token without lanes takes a cycle, too. Combinational from its
// registers.
`default_nettype none

module pipe_lanes #(
    parameter LANES = 4  // 1 to 32
) (
    input wire clk,
    input wire rst,

    // the next token: taken in this cycle, with the lanes that want the pipe
    input  wire             valid_i,
    input  wire [LANES-1:0] lanes_i,
    output wire             take_o,

    // the lane whose turn it is, one-hot, and the pipe
    output wire             ask_o,
    output wire [LANES-1:0] lane_o,
    input  wire             ready_i,
    output wire [LANES-1:0] answered_o, // the lane that has its answer in this cycle, or none

    output wire done_o  // the token goes on
);
  localparam [LANES-1:0] ONE = 1;
  reg busy;
  reg [LANES-1:0] left;  // lanes that have no answer yet
  wire [LANES-1:0] others = left & ~lane_o;
  wire answered = ask_o && ready_i;
  assign lane_o = left & (~left + ONE);
  assign ask_o = busy && left != 0;
  assign answered_o = answered ? lane_o : {LANES{1'b0}};
  assign done_o = busy && (left == 0 || (answered && others == 0));
  assign take_o = valid_i && (!busy || done_o);
  always @(posedge clk) begin
    busy <= !rst && (take_o || (busy && !done_o));
    if (take_o) left <= lanes_i;
    else if (answered) left <= others;
  end
endmodule

`default_nettype wire
