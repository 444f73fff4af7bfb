// SPDX-License-Identifier: Apache-2.0
// A queue with the banks of a unit's requests, in the order in which the answers are due. An entry is at the head one
// cycle after it was put in, or later.
`default_nettype none

module bank_order #(
    parameter BANK_BITS  = 1,
    parameter DEPTH_LOG2 = 8
) (
    input wire clk,
    input wire rst,

    input  wire                 put_i,   // only when room_o is set
    input  wire [BANK_BITS-1:0] bank_i,
    output wire                 room_o,

    output wire                 valid_o,
    output wire [BANK_BITS-1:0] bank_o,
    input  wire                 take_i
);
  reg [BANK_BITS-1:0] banks[0:(1<<DEPTH_LOG2)-1];
  reg [DEPTH_LOG2:0] head, tail;
  assign valid_o = head != tail;
  assign room_o  = head != (tail ^ {1'b1, {DEPTH_LOG2{1'b0}}});
  assign bank_o  = banks[head[DEPTH_LOG2-1:0]];
  always @(posedge clk) begin
    if (put_i) banks[tail[DEPTH_LOG2-1:0]] <= bank_i;
    tail <= tail + {{DEPTH_LOG2{1'b0}}, put_i};
    head <= head + {{DEPTH_LOG2{1'b0}}, take_i};
    if (rst) {head, tail} <= 0;
  end
endmodule

`default_nettype wire
