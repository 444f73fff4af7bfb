// SPDX-License-Identifier: Apache-2.0
// Which lanes of a sub-group have yielded: those that jumped back, when others have waited for so long that it is their
// turn (contract/DEVICE.md, "Which lanes run"). Takes what a slot has of it and gives what it has after the instruction:
// who has yielded a cycle later, for how long others have waited two cycles later. One instruction a cycle.
`default_nettype none

module turns #(
    parameter LANES = 8,  // power of two, 2 to 32
    parameter TURN_LOG2 = 8  // a turn takes 2^TURN_LOG2 atomics and pauses
) (
    input wire clk,

    // stage e1: the instruction
    input wire e1_back_i,  // a jump back, if it is taken
    input wire e1_waits_i, // an atomic or a pause

    // stage e2: whose it is, and what the slot has
    input wire               e2_launch_i,   // the sub-group begins
    input wire [  LANES-1:0] e2_lanes_i,    // that execute it
    input wire [  LANES-1:0] e2_jump_i,     // that jump
    input wire [  LANES-1:0] e2_live_i,
    input wire [  LANES-1:0] e2_parked_i,
    input wire [  LANES-1:0] e2_yielded_i,
    input wire [TURN_LOG2:0] e2_waited_i,

    output reg [  LANES-1:0] e3_yielded_o,
    output reg [TURN_LOG2:0] e4_waited_o
);
  reg e2_back, e2_waits;
  always @(posedge clk) {e2_back, e2_waits} <= {e1_back_i, e1_waits_i};

  // The turn is over, for the lanes that jump.
  wire e2_others = |(e2_live_i & ~e2_parked_i & ~e2_lanes_i) && !e2_launch_i;
  wire e2_over = e2_waited_i[TURN_LOG2] && e2_back && e2_others;
  // Lanes that have yielded run when all have that can: then none has any more.
  wire e2_all_yielded = |(e2_yielded_i & e2_lanes_i);
  wire [LANES-1:0] e2_still = e2_yielded_i & {LANES{!e2_all_yielded && !e2_launch_i}};
  always @(posedge clk) e3_yielded_o <= e2_still | (e2_jump_i & {LANES{e2_over}});

  // For how long they have waited: atomics and pauses of which each left out a lane that could run. Stays where it is
  // once it is full.
  reg e3_others, e3_over, e3_counts;
  reg [  LANES-1:0] e3_jump;
  reg [TURN_LOG2:0] e3_waited;
  always @(posedge clk) begin
    {e3_others, e3_over, e3_jump} <= {e2_others, e2_over, e2_jump_i};
    e3_counts <= e2_waits && !e2_waited_i[TURN_LOG2];
    e3_waited <= e2_waited_i;
    e4_waited_o <= (e3_waited + {{TURN_LOG2{1'b0}}, e3_counts}) &
                   {TURN_LOG2 + 1{e3_others && !(e3_over && e3_jump != {LANES{1'b0}})}};
  end
endmodule

`default_nettype wire
