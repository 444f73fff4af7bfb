// SPDX-License-Identifier: Apache-2.0
// The reduction of a work-group: combines the totals of its sub-groups, then lets all of them go with the result, in
// the order of their ids, one a cycle. Takes a barrier's releases and each one's total the cycle after. While one
// work-group goes the next is combined. From the release of its last sub-group to the first token 5 cycles.
`default_nettype none

module group_total #(
    parameter OPERATION = 0,  // of lane_operator.v
    parameter [31:0] IDENTITY = 0,
    parameter SLOT_BITS = 5
) (
    input wire clk,
    input wire rst,

    input wire                 release_i,
    input wire [SLOT_BITS-1:0] release_slot_i,
    input wire                 release_first_i,
    input wire                 release_last_i,
    input wire [         31:0] total_i,          // of the token released in the cycle before

    output reg                 release_o,
    output reg [SLOT_BITS-1:0] release_slot_o,
    output reg [         31:0] total_o
);
  reg released, first, last;
  reg [SLOT_BITS-1:0] slot, first_slot;
  reg  [31:0] so_far;
  wire [31:0] carry = first ? IDENTITY : so_far;
  wire [31:0] sum;
  lane_operator #(
      .OPERATION(OPERATION)
  ) operator (
      .a_i(carry),
      .b_i(total_i),
      .y_o(sum)
  );
  always @(posedge clk) begin
    released <= release_i && !rst;
    {first, last} <= {release_first_i, release_last_i};
    slot <= release_slot_i;
    if (released) so_far <= sum;
    if (released && first) first_slot <= slot;
  end

  // A work-group that is combined: its result, its first slot and its last.
  wire go, take;
  wire [SLOT_BITS-1:0] go_first, go_last;
  wire [31:0] go_total;
  reg [SLOT_BITS-1:0] next;
  reg begun;
  token_queue #(
      .WIDTH(2 * SLOT_BITS + 32),
      .SLOT_BITS(SLOT_BITS)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(released && last),
      .word_i({first ? slot : first_slot, slot, sum}),
      .valid_o(go),
      .word_o({go_first, go_last, go_total}),
      .take_i(take)
  );
  wire [SLOT_BITS-1:0] now = begun ? next : go_first;
  assign take = go && now == go_last;
  always @(posedge clk) begin
    begun <= !rst && go && !take;
    next <= now + 1'b1;
    release_o <= go && !rst;
    release_slot_o <= now;
    total_o <= go_total;
  end
endmodule

`default_nettype wire
