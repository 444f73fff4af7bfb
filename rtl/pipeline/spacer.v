// SPDX-License-Identifier: Apache-2.0
// Keeps tokens apart in front of a segment: lets one go every INTERVAL cycles at most, in the order in which they come.
// All slots have a place in it. A token that comes alone leaves 2 cycles later.
`default_nettype none

module spacer #(
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter INTERVAL  = 4   // 2 or more, up to 32
) (
    input wire clk,
    input wire rst,

    input  wire                 valid_i,
    input  wire [SLOT_BITS-1:0] slot_i,
    output reg                  valid_o,
    output reg  [SLOT_BITS-1:0] slot_o
);
  localparam [4:0] LAST = INTERVAL - 1;
  reg [4:0] left;  // cycles until the next may go
  wire queued;
  wire [SLOT_BITS-1:0] slot;
  wire take = queued && left == 5'd0;
  token_queue #(
      .WIDTH(SLOT_BITS),
      .SLOT_BITS(SLOT_BITS)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(valid_i),
      .word_i(slot_i),
      .valid_o(queued),
      .word_o(slot),
      .take_i(take)
  );
  always @(posedge clk) begin
    valid_o <= take && !rst;
    slot_o <= slot;
    left <= rst ? 5'd0 : take ? LAST : left == 5'd0 ? 5'd0 : left - 5'd1;
  end
endmodule

`default_nettype wire
