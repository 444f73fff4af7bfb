// SPDX-License-Identifier: Apache-2.0
// Keeps tokens apart in front of a segment: lets one go every INTERVAL cycles at most, in the order in which they come.
// All slots have a place in it. A token that comes alone leaves 2 cycles later; of an aligned one, in which tokens go at
// multiples of INTERVAL cycles after reset, up to INTERVAL - 1 more.
`default_nettype none

module spacer #(
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter INTERVAL  = 4,  // 2 or more, up to 2^20
    parameter ALIGNED   = 0
) (
    input wire clk,
    input wire rst,

    input  wire                 valid_i,
    input  wire [SLOT_BITS-1:0] slot_i,
    output reg                  valid_o,
    output reg  [SLOT_BITS-1:0] slot_o
);
  localparam BITS = INTERVAL > 1024 ? 20 : INTERVAL > 32 ? 10 : 5;
  localparam [BITS-1:0] LAST = INTERVAL - 1, ZERO = 0, ONE = 1;
  reg [BITS-1:0] left;  // cycles until the next may go; of an aligned one, until the next multiple
  wire queued;
  wire [SLOT_BITS-1:0] slot;
  wire take = queued && left == ZERO;
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
    left <= rst ? ZERO : take || (ALIGNED != 0 && left == ZERO) ? LAST : left == ZERO ? ZERO : left - ONE;
  end
endmodule

`default_nettype wire
