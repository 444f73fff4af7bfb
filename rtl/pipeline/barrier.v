// SPDX-License-Identifier: Apache-2.0
// Holds tokens until all sub-groups of their work-group have come, then lets them go in the order of their sub-group
// ids, one a cycle. Every sub-group comes, whatever its mask. From the last one's arrival to the first release 3
// cycles.
`default_nettype none

module barrier #(
    parameter SLOT_BITS = 5  // log2 of the slots
) (
    input wire clk,
    input wire rst,

    // A work-group's slots begin at its group_slot << shift_i. Counts are wiped before a dispatch if one was broken off.
    input wire [2:0] shift_i,
    input wire wipe_i,
    input wire [SLOT_BITS-1:0] wipe_group_slot_i,

    // a work-group begins: how many sub-groups it has, less one
    input wire begin_i,
    input wire [SLOT_BITS-1:0] begin_group_slot_i,
    input wire [SLOT_BITS-1:0] begin_last_i,

    input wire arrive_i,
    input wire [SLOT_BITS-1:0] arrive_slot_i,

    output reg release_o,
    output reg [SLOT_BITS-1:0] release_slot_o,
    output reg release_first_o,  // of its work-group
    output reg release_last_o
);
  localparam SLOTS = 1 << SLOT_BITS;
  reg [SLOT_BITS-1:0] lasts[0:SLOTS-1];
  reg [SLOT_BITS-1:0] counts[0:SLOTS-1];

  // The cycle after the arrival, so that the group slot is known from a register.
  reg arrived;
  reg [SLOT_BITS-1:0] group_slot;
  wire [SLOT_BITS-1:0] count = counts[group_slot];
  wire [SLOT_BITS-1:0] last = lasts[group_slot];
  wire complete = count == last;
  wire [SLOT_BITS-1:0] counted = complete ? {SLOT_BITS{1'b0}} : count + 1'b1;
  always @(posedge clk) begin
    arrived <= arrive_i && !rst;
    group_slot <= arrive_slot_i >> shift_i;
    if (begin_i) lasts[begin_group_slot_i] <= begin_last_i;
    if (wipe_i) counts[wipe_group_slot_i] <= {SLOT_BITS{1'b0}};
    else if (arrived) counts[group_slot] <= counted;
  end

  wire go, take;
  wire [SLOT_BITS-1:0] go_group_slot, go_last;
  reg [SLOT_BITS-1:0] index;
  token_queue #(
      .WIDTH(2 * SLOT_BITS),
      .SLOT_BITS(SLOT_BITS)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(arrived && complete),
      .word_i({group_slot, last}),
      .valid_o(go),
      .word_o({go_group_slot, go_last}),
      .take_i(take)
  );
  assign take = go && index == go_last;
  always @(posedge clk) begin
    index <= rst || take ? {SLOT_BITS{1'b0}} : index + {{SLOT_BITS - 1{1'b0}}, go};
    release_o <= go && !rst;
    release_slot_o <= (go_group_slot << shift_i) | index;
    release_first_o <= index == {SLOT_BITS{1'b0}};
    release_last_o <= take;
  end
endmodule

`default_nettype wire
