// SPDX-License-Identifier: Apache-2.0
// Which lanes of a sub-group run next: keeps for each lane of each slot whether it is live, parked at a collective, has
// yielded to others, and its PC; moves the lanes that execute an instruction, e1 to e3; and finds the smallest PC of
// those that may run, e3 to wb (contract/DEVICE.md, "Which lanes run"). One instruction a cycle.
`include "rtl/shape.vh"
`default_nettype none

module next_pc #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOTS = 32,  // power of two, 4 to 128
    parameter SLOT_BITS = 5,  // log2(SLOTS)
    parameter LEVELS = 3,  // log2(LANES)
    parameter TAIL = 4,  // stages from e3 to wb, LEVELS at least
    parameter COMPACT = 0  // as in heddle.v
) (
    input wire clk,

    // stage e1: the instruction
    input wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] e1_bundle_i,
    input wire [                 `HEDDLE_CONTROL_BITS-1:0] e1_control_i,

    // stage e2: where it may go
    input  wire [`HEDDLE_BUNDLE_BITS(LANES, SLOT_BITS)-1:0] e2_bundle_i,
    input  wire                                             e2_exit_i,    // the lanes end
    input  wire [                                LANES-1:0] e2_taken_i,   // of a branch
    input  wire [                             LANES*32-1:0] e2_sum_i,     // of a jump by register
    input  wire [                                     31:2] e2_target_i,  // of another jump, and a branch
    output wire [                                     31:2] e2_link_o,    // PC + 4

    // stage e3
    input  wire [SLOT_BITS-1:0] e3_slot_i,
    output reg                  e3_again_o,  // a sum of floats, and not its last pass
    output reg  [    LANES-1:0] e3_live_o,

    // the cycle after: it took effect
    input wire e4_commit_i,

    // stage wb
    output wire             wb_dead_o,        // no lane is live
    output wire             wb_all_parked_o,  // else: none can run
    output wire [     31:2] wb_pc_o,          // the smallest PC of those that can run, or of those that are parked
    output wire [LANES-1:0] wb_lanes_o        // the lanes that are there
);
  `include "rtl/unit/bundle.vh"
  `include "rtl/unit/control.vh"
  integer i;
  genvar n;

  // Written the cycle after e3, when it is known that the instruction took effect. A slot has one instruction in the
  // pipeline, so what is read is never being written. With few lanes and slots small RAM has room for it, and leaves
  // the time to a fast clock. Where there is one lane, it yields to nobody.
  localparam TURN_LOG2 = 8;
  localparam TURN_BITS = LANES == 1 ? 0 : LANES + TURN_LOG2 + 1;
  localparam AT_BITS = TURN_BITS + 2 * LANES + LANES * PC;
  wire [LANES-1:0] e2_live, e2_parked, e3_yielded;
  wire [ LANES*PC-1:0] e2_lane_pc;
  reg  [SLOT_BITS-1:0] e4_slot;
  reg [LANES-1:0] e4_live, e4_parked;
  reg [LANES*PC-1:0] e4_lane_pc;
  wire [AT_BITS-1:0] e2_lanes_at, e4_lanes_at;
  word_memory #(
      .WIDTH(AT_BITS),
      .WORDS(SLOTS),
      .INDEX_BITS(SLOT_BITS),
      .BLOCK(LANES > 4 || SLOTS > 16 || COMPACT != 0)
  ) lanes_at (
      .clk(clk),
      .read_index_i(e1_bundle_i[B_SLOT+:SLOT_BITS]),
      .word_o(e2_lanes_at),
      .write_i(e4_commit_i),
      .write_index_i(e4_slot),
      .word_i(e4_lanes_at)
  );
  assign {e2_live, e2_parked, e2_lane_pc} = e2_lanes_at[0+:2*LANES+LANES*PC];
  assign e4_lanes_at[0+:2*LANES+LANES*PC] = {e4_live, e4_parked, e4_lane_pc};

  // Selects each lane's next PC: its own of before, a register's, the instruction's or the one behind that, a target.
  // All but whether a branch is taken is known at e1: {e2_here, e2_there}, 00 own, 01 register, 10 the instruction, 11
  // target. Two LUT4 a bit.
  wire [LANES-1:0] e1_lanes = e1_bundle_i[B_LANES+:LANES];
  wire e1_converged = e1_bundle_i[B_CONVERGED];
  wire e1_park = e1_control_i[C_CONVERGES] && !e1_converged;
  // A barrier has no second pass: who arrives waits behind it.
  wire e1_arrive = e1_control_i[C_CONVERGES] && e1_converged && e1_control_i[C_WORK_GROUP] &&
                   e1_control_i[C_COLLECTIVE] && !e1_bundle_i[B_SECOND];
  wire e1_again = e1_control_i[C_SUM] && e1_converged && !e1_bundle_i[B_SECOND] &&
                  e1_bundle_i[B_PASS+:PASS_BITS] != LEVELS[PASS_BITS-1:0];
  wire e1_stay = e1_park || e1_arrive || e1_again || e1_bundle_i[B_LAUNCH];
  wire e1_by_register = e1_control_i[C_JUMP_REGISTER];
  reg e2_park, e2_again, e2_goes_on;
  reg [LANES-1:0] e2_here, e2_jumps, e2_branches;
  always @(posedge clk) begin
    {e2_park, e2_again, e2_goes_on} <= {e1_park, e1_again, !e1_stay};
    e2_here <= {LANES{e1_stay || !e1_by_register}} & e1_lanes;
    e2_jumps <= {LANES{!e1_stay && (e1_by_register || e1_control_i[C_JUMP])}} & e1_lanes;
    e2_branches <= {LANES{!e1_stay && !e1_by_register && e1_control_i[C_BRANCH]}} & e1_lanes;
  end
  wire [LANES-1:0] e2_lanes = e2_bundle_i[B_LANES+:LANES];
  wire e2_launch = e2_bundle_i[B_LAUNCH];
  wire [PC-1:0] e2_pc = e2_bundle_i[B_PC+:PC];
  wire [PC-1:0] e2_next_pc = e2_pc + {29'd0, e2_goes_on};
  assign e2_link_o = e2_next_pc;  // no instruction that stays links
  wire [LANES-1:0] e2_there = e2_jumps | (e2_branches & e2_taken_i);
  reg  [LANES-1:0] e3_parked;
  reg [LANES*PC-1:0] e2_lane_next, e3_lane_pc;
  reg [PC-1:0] either;
  always @* begin
    e2_lane_next = 0;
    either = 0;
    for (i = 0; i < LANES; i = i + 1) begin
      either = e2_here[i] ? {PC{e2_there[i]}} : e2_there[i] ? e2_sum_i[i*32+2+:PC] : e2_lane_pc[i*PC+:PC];
      e2_lane_next[i*PC+:PC] = e2_here[i] ? (either & e2_target_i) | (~either & e2_next_pc) : either;
    end
  end
  always @(posedge clk) begin
    e3_live_o <= e2_launch ? e2_lanes : e2_live & ~(e2_exit_i ? e2_lanes : {LANES{1'b0}});
    e3_parked <= e2_launch ? {LANES{1'b0}} : e2_park ? e2_parked | e2_lanes : e2_parked & ~e2_lanes;
    e3_lane_pc <= e2_lane_next;
    e3_again_o <= e2_again;
    {e4_slot, e4_live, e4_parked, e4_lane_pc} <= {e3_slot_i, e3_live_o, e3_parked, e3_lane_pc};
  end

  // A jump by register may lead back. The top bit of an atomic's function is that of the instruction: the sign of the
  // offset of another jump, and of a branch.
  generate
    if (LANES == 1) begin : alone
      assign e3_yielded = 1'b0;
    end else begin : together
      reg [LANES-1:0] e4_yielded;
      always @(posedge clk) e4_yielded <= e3_yielded;
      assign e4_lanes_at[AT_BITS-1-:LANES] = e4_yielded;
      turns #(
          .LANES(LANES),
          .TURN_LOG2(TURN_LOG2)
      ) turns (
          .clk(clk),
          .e1_back_i(e1_control_i[C_JUMP_REGISTER] ||
                     ((e1_control_i[C_JUMP] || e1_control_i[C_BRANCH]) && e1_control_i[C_FUNCTION+4])),
          .e1_waits_i(e1_control_i[C_WAITS]),
          .e2_launch_i(e2_launch),
          .e2_lanes_i(e2_lanes),
          .e2_jump_i(e2_there),
          .e2_live_i(e2_live),
          .e2_parked_i(e2_parked),
          .e2_yielded_i(e2_lanes_at[AT_BITS-1-:LANES]),
          .e2_waited_i(e2_lanes_at[2*LANES+LANES*PC+:TURN_LOG2+1]),
          .e3_yielded_o(e3_yielded),
          .e4_waited_o(e4_lanes_at[2*LANES+LANES*PC+:TURN_LOG2+1])
      );
    end
  endgenerate

  // e3 to wb: the smallest key, and the lanes that have it.
  localparam KEY_BITS = PC + 3;
  wire [LANES*KEY_BITS-1:0] keys;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : key
      assign keys[n*KEY_BITS+:KEY_BITS] = {!e3_live_o[n], e3_parked[n], e3_yielded[n], e3_lane_pc[n*PC+:PC]};
    end
  endgenerate
  wire [KEY_BITS-1:0] first_key, wb_key;
  wire [LANES-1:0] first_lanes;
  converge #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .KEY_BITS(KEY_BITS)
  ) converge (
      .clk(clk),
      .key_i(keys),
      .key_o(first_key),
      .lanes_o(first_lanes)
  );
  delay #(
      .WIDTH (KEY_BITS + LANES),
      .CYCLES(TAIL - LEVELS)
  ) wait_for_write_back (
      .clk(clk),
      .value_i({first_key, first_lanes}),
      .value_o({wb_key, wb_lanes_o})
  );
  assign wb_pc_o = wb_key[PC-1:0];
  assign wb_dead_o = wb_key[PC+2];
  assign wb_all_parked_o = wb_key[PC+1] && !wb_dead_o;

  wire unused = &{1'b0, e1_bundle_i, e1_control_i, e2_bundle_i, e2_sum_i, wb_key[PC]};
endmodule

`default_nettype wire
