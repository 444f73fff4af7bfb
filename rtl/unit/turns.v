// SPDX-License-Identifier: Apache-2.0
// Which lanes of a sub-group have yielded: those that ran, when others have waited for so long that it is their turn
// (contract/DEVICE.md, "Which lanes run"). Takes what a slot has of it and gives what it has after the instruction: who
// has yielded a cycle later, for how long others have waited two cycles later. One instruction a cycle.
`default_nettype none

module turns #(
    parameter LANES = 8,  // power of two, 2 to 32
    parameter TURN_LOG2 = 16,  // a turn takes 2^TURN_LOG2 issues, 8 at least
    parameter ATOMIC_LOG2 = 8  // of which an atomic counts as 2^ATOMIC_LOG2
) (
    input wire clk,

    // stage e1: the instruction
    input wire e1_back_i,   // a jump back
    input wire e1_atomic_i,

    // stage e2: whose it is, and what the slot has
    input wire               e2_launch_i,   // the sub-group begins
    input wire [  LANES-1:0] e2_lanes_i,    // that execute it
    input wire [  LANES-1:0] e2_live_i,
    input wire [  LANES-1:0] e2_parked_i,
    input wire [  LANES-1:0] e2_yielded_i,
    input wire [TURN_LOG2:0] e2_waited_i,

    output reg [  LANES-1:0] e3_yielded_o,
    output reg [TURN_LOG2:0] e4_waited_o
);
  reg e2_back, e2_atomic, e3_atomic;
  always @(posedge clk) {e2_back, e2_atomic, e3_atomic} <= {e1_back_i, e1_atomic_i, e2_atomic};

  // The turn is over. Nobody waits if all that can run do; then they yield to nobody, and with their next instruction
  // none has yielded.
  wire e2_full = e2_waited_i[TURN_LOG2];
  wire e2_over = e2_full && e2_back;
  // Lanes that have yielded run when all have that can: then none has any more.
  wire e2_all_yielded = |(e2_yielded_i & e2_lanes_i);
  wire [LANES-1:0] e2_still = e2_yielded_i & {LANES{!e2_all_yielded && !e2_launch_i}};
  always @(posedge clk) e3_yielded_o <= e2_still | (e2_lanes_i & {LANES{e2_over && !e2_launch_i}});

  // For how long they have waited: issues of which each left out a lane that could run. Stays where it is once it is
  // full.
  reg e3_others, e3_over;
  reg [TURN_LOG2:0] e3_waited;
  wire e3_counts = !e3_waited[TURN_LOG2];
  always @(posedge clk) begin
    e3_others <= |(e2_live_i & ~e2_parked_i & ~e2_lanes_i) && !e2_launch_i;
    e3_over <= e2_over;
    e3_waited <= e2_waited_i;
    e4_waited_o <= (e3_waited + {{TURN_LOG2 - ATOMIC_LOG2{1'b0}}, e3_counts && e3_atomic, {ATOMIC_LOG2 - 1{1'b0}},
                                 e3_counts && !e3_atomic}) & {TURN_LOG2 + 1{e3_others && !e3_over}};
  end
endmodule

`default_nettype wire
