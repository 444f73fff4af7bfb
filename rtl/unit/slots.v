// SPDX-License-Identifier: Apache-2.0
// Stages se and st: chooses a slot, lets a launch in, or leaves a gap, and reads what the slot does next and whose it
// is. The bundle of the instruction stands two cycles after the slot was woken.
`include "rtl/shape.vh"
`default_nettype none

module slots #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOTS = 32,  // power of two, 4 to 128
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter LEVELS = 3  // log2(LANES)
) (
    input wire clk,
    input wire rst,
    input wire clear_i,  // no slot has anything to do
    input wire halt_i,   // nothing issues

    // stage se
    input wire [SLOTS-1:0] wake_i,  // slots that have an instruction to issue
    input wire             gap_i,   // issue nothing in this cycle: a late register write needs it

    // a new sub-group
    input  wire                 launch_valid_i,
    output wire                 launch_taken_o,
    input  wire [SLOT_BITS-1:0] launch_slot_i,
    input  wire [SLOT_BITS-1:0] launch_group_slot_i,
    input  wire [SLOT_BITS-1:0] launch_sub_group_i,
    input  wire [    LANES-1:0] launch_lanes_i,
    input  wire [         31:2] entry_i,

    // stage wb: what a slot does next
    input wire                                next_valid_i,
    input wire [               SLOT_BITS-1:0] next_slot_i,
    input wire [`HEDDLE_NEXT_BITS(LANES)-1:0] next_i,

    // stage f1
    output reg                                              valid_o,
    output wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] bundle_o, // bundle.vh

    // any slot, in the same cycle: its sub-group's id and lanes
    input  wire [SLOT_BITS-1:0] asked_slot_i,
    output wire [SLOT_BITS-1:0] asked_sub_group_o,
    output wire [    LANES-1:0] asked_lanes_o
);
  `include "rtl/unit/bundle.vh"
  integer i;

  wire launch_now = launch_valid_i && !halt_i && !gap_i;
  assign launch_taken_o = launch_now;
  wire selected;
  wire [SLOT_BITS-1:0] selected_slot;
  select #(
      .SLOTS(SLOTS),
      .SLOT_BITS(SLOT_BITS)
  ) select (
      .clk(clk),
      .rst(rst),
      .hold_i(launch_now || gap_i || halt_i),
      .clear_i(clear_i),
      .wake_i(wake_i),
      .valid_o(selected),
      .slot_o(selected_slot)
  );

  reg st_launch;
  always @(posedge clk) st_launch <= launch_now && !clear_i;
  wire [SLOT_BITS-1:0] st_slot = st_launch ? launch_slot_i : selected_slot;

  reg [NEXT_BITS-1:0] next[0:SLOTS-1];
  always @(posedge clk) if (next_valid_i) next[next_slot_i] <= next_i;

  // {group slot, sub-group id, size}
  localparam SUB_GROUP_BITS = 2 * SLOT_BITS + SIZE_BITS;
  reg [SUB_GROUP_BITS-1:0] sub_groups[0:SLOTS-1];
  reg [SIZE_BITS-1:0] launch_size;
  always @* begin
    launch_size = 0;
    for (i = 0; i < LANES; i = i + 1) launch_size = launch_size + {{LEVELS{1'b0}}, launch_lanes_i[i]};
  end
  always @(posedge clk)
    if (launch_now)
      sub_groups[launch_slot_i] <= {launch_group_slot_i, launch_sub_group_i, launch_size};

  reg f1_launch;
  reg [SLOT_BITS-1:0] f1_slot;
  reg [NEXT_BITS-1:0] f1_next;
  reg [SUB_GROUP_BITS-1:0] f1_sub_group;
  always @(posedge clk) begin
    valid_o <= (selected || st_launch) && !clear_i;
    f1_launch <= st_launch;
    f1_slot <= st_slot;
    f1_next <= next[st_slot];
    f1_sub_group <= sub_groups[st_slot];
  end
  wire [PC-1:0] f1_pc = f1_launch ? entry_i : f1_next[LANES+1+:PC];
  wire [PASS_BITS-1:0] f1_pass = f1_launch ? {PASS_BITS{1'b0}} : f1_next[NEXT_BITS-2-:PASS_BITS];
  wire f1_second = f1_next[NEXT_BITS-1] && !f1_launch;
  wire [LANES-1:0] f1_lanes = f1_launch ? launch_lanes_i : f1_next[LANES:1];
  assign bundle_o = {f1_pass, f1_launch, f1_second, f1_next[0], f1_slot, f1_sub_group, f1_pc, f1_lanes};

  assign asked_sub_group_o = sub_groups[asked_slot_i][SIZE_BITS+:SLOT_BITS];
  assign asked_lanes_o = next[asked_slot_i][LANES:1];
endmodule

`default_nettype wire
