// SPDX-License-Identifier: Apache-2.0
// What stands in front of each sub-group in a scan of its work-group: the totals of the sub-groups before it, combined
// in the order of their ids. Takes a barrier's releases and each one's total the cycle after; its own release is 2
// cycles behind the barrier's.
`default_nettype none

module group_scan #(
    parameter OPERATION = 0,  // of lane_operator.v
    parameter [31:0] IDENTITY = 0,
    parameter SLOT_BITS = 5
) (
    input wire clk,
    input wire rst,

    input wire                 release_i,
    input wire [SLOT_BITS-1:0] release_slot_i,
    input wire                 release_first_i,
    input wire [         31:0] total_i,          // of the token released in the cycle before

    output reg                 release_o,
    output reg [SLOT_BITS-1:0] release_slot_o,
    output reg [         31:0] carry_o
);
  reg released, first;
  reg [SLOT_BITS-1:0] slot;
  reg [31:0] so_far;
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
    first <= release_first_i;
    slot <= release_slot_i;
    if (released) so_far <= sum;
    release_o <= released && !rst;
    release_slot_o <= slot;
    carry_o <= carry;
  end
endmodule

`default_nettype wire
