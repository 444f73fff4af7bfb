// SPDX-License-Identifier: Apache-2.0
// Everything across the lanes of a sub-group: the scan tree with its operands and carries, e1 to wb; sums of floats,
// whose passes take the lanes' adders; and shuffles, e1 to e3, through a crossbar that is load_store's.
`include "rtl/shape.vh"
`default_nettype none

module across_lanes #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter SLOT_BITS = 5,
    parameter LEVELS = 3,  // log2(LANES)
    parameter TAIL = 4,  // stages from e3 to wb
    parameter FPU = 1  // 1: with floating point
) (
    input wire clk,
    input wire clear_i,
    input wire [2:0] sub_group_log2_i,  // of the dispatch

    // stage op
    input wire [SLOT_BITS-1:0] op_slot_i,
    input wire [SLOT_BITS-1:0] op_sub_group_i,
    input wire                 op_work_group_i, // scope of a collective

    // stage e1: the instruction and its operands
    input wire                            e1_valid_i,
    input wire [`HEDDLE_CONTROL_BITS-1:0] e1_control_i,
    input wire                            e1_second_i,       // second pass of a work-group collective,
    input wire [                    31:0] e1_carry_i,        // and what it brings,
    input wire                            e1_carry_first_i,  // which is nothing: the first sub-group's
    input wire [               LANES-1:0] e1_lanes_i,
    input wire [            LANES*32-1:0] e1_a_i,
    input wire [            LANES*32-1:0] e1_b_i,
    input wire [               LANES-1:0] e1_nan_i,          // a is one

    // shuffles
    output wire                   e1_shuffles_o,
    output wire [   LANES*32-1:0] e2_word_o,      // to the crossbar
    output wire [LANES*LANES-1:0] e2_from_o,
    input  wire                   e2_shuffle_i,
    input  wire [   LANES*32-1:0] e2_shuffled_i,  // from the crossbar
    output reg  [   LANES*32-1:0] e3_shuffled_o,  // 0 of another instruction

    // stage e3
    input wire [`HEDDLE_CONTROL_BITS-1:0] e3_control_i,
    input wire                            e3_again_i,    // a sum of floats, and not its last pass
    input wire                            e3_second_i,
    input wire [                     2:0] e3_pass_i,
    input wire                            e3_aside_i,    // it parks or waits, and has no result yet

    // the stages before wb and wb
    input  wire                            last_valid_i,
    input  wire [            LANES*32-1:0] last_float_i,       // what the lanes' adders give
    output wire                            last_collective_o,  // the result is a collective's
    input  wire [`HEDDLE_CONTROL_BITS-1:0] wb_control_i,
    input  wire                            wb_second_i,
    input  wire [               LANES-1:0] wb_lanes_i,
    output wire [            LANES*32-1:0] wb_value_o,         // 0 of another instruction
    output wire [                    31:0] wb_total_o,         // of all lanes, for the work-group
    output wire [            LANES*32-1:0] wb_addend_o         // of a sum that has another pass
);
  `include "rtl/unit/control.vh"
  integer i;

  // Whose value a lane gets: its own, that of the lanes before it, or that of all. A sum of floats that goes on gives
  // every lane its own, and so does that of a work-group when it comes back.
  wire e3_collective = e3_control_i[C_COLLECTIVE];
  wire e3_passes = e3_again_i || (e3_control_i[C_SUM] && e3_second_i);
  wire e3_own = e3_collective && (e3_control_i[C_INCLUSIVE] || e3_passes);
  wire e3_before = e3_collective && e3_control_i[C_EXCLUSIVE] && !e3_passes;
  wire e3_all = e3_collective && !e3_own && !e3_before;
  wire wb_own, wb_before, wb_all;
  delay #(
      .WIDTH (3),
      .CYCLES(TAIL)
  ) carry_whose (
      .clk(clk),
      .value_i({e3_own, e3_before, e3_all}),
      .value_o({wb_own, wb_before, wb_all})
  );
  delay #(
      .WIDTH (1),
      .CYCLES(TAIL - 1)
  ) carry_collective (
      .clk(clk),
      .value_i(e3_collective),
      .value_o(last_collective_o)
  );

  wire [LANES*32-1:0] wb_tree_value, wb_scanned;
  wire e1_is_scan = e1_control_i[C_INCLUSIVE] || e1_control_i[C_EXCLUSIVE];
  collective #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .SLOT_BITS(SLOT_BITS),
      .TAIL(TAIL),
      .FPU(FPU)
  ) collective (
      .clk(clk),
      .e1_a_i(e1_a_i),
      .e1_b_i(e1_b_i),
      .e1_nan_i(e1_nan_i),
      .e1_lanes_i((e1_second_i && !e1_is_scan) || e1_control_i[C_SUM] ? {LANES{1'b0}} : e1_lanes_i),
      .e1_operation_i(e1_control_i[C_OPERATION+:`HEDDLE_COLLECTIVE_BITS]),
      .e1_first_i(e1_valid_i && e1_control_i[C_FIRST]),
      .e1_second_i(e1_control_i[C_SECOND]),
      .op_slot_i(op_slot_i),
      .op_work_group_i(op_work_group_i),
      .op_sub_group_i(op_sub_group_i),
      .e1_predicate_i(e1_control_i[C_PREDICATE]),
      .e1_ballot_i(e1_control_i[C_BALLOT]),
      .e1_broadcast_i(e1_control_i[C_BROADCAST]),
      .sub_group_log2_i(sub_group_log2_i),
      .e1_carried_i(e1_second_i && !e1_control_i[C_SUM]),
      .e1_carry_i(e1_carry_i),
      .last_sum_i(last_float_i),
      .wb_own_i(wb_own),
      .wb_before_i(wb_before),
      .wb_all_i(wb_all),
      .wb_value_o(wb_tree_value),
      .wb_scanned_o(wb_scanned),
      .wb_total_o(wb_total_o)
  );
  // The first live lane of an exclusive sum of floats gets +0: the tree has -0 there, the identity of the sum, and a
  // work-group's first sub-group is brought that.
  wire wb_carry_first;
  delay #(
      .WIDTH (1),
      .CYCLES(TAIL + 2)
  ) carry_first (
      .clk(clk),
      .value_i(e1_carry_first_i),
      .value_o(wb_carry_first)
  );
  wire wb_sum = wb_control_i[C_SUM];
  wire wb_first_is_0 = wb_sum && (wb_control_i[C_WORK_GROUP] ?
                                  wb_control_i[C_EXCLUSIVE] && wb_second_i && wb_carry_first : wb_before);
  reg [LANES*32-1:0] wb_value;
  reg wb_some;
  always @* begin
    wb_value = wb_tree_value;
    wb_some  = 1'b0;
    for (i = 0; i < LANES; i = i + 1) begin
      if (wb_first_is_0 && !wb_some) wb_value[i*32+31] = 1'b0;
      wb_some = wb_some || wb_lanes_i[i];
    end
  end
  assign wb_value_o = wb_value;

  // The pass of a sum of floats that has another one, one-hot: every lane's addend hangs on it.
  localparam PASSES = LEVELS > 0 ? LEVELS : 1;
  reg  [PASSES-1:0] e3_sum_pass;
  wire [PASSES-1:0] last_sum_pass;
  reg  [PASSES-1:0] wb_sum_pass;
  always @* begin
    e3_sum_pass = {PASSES{1'b0}};
    for (i = 0; i < PASSES; i = i + 1)
    e3_sum_pass[i] = e3_again_i && e3_control_i[C_WRITES] && !e3_aside_i && e3_pass_i == i[2:0];
  end
  delay #(
      .WIDTH (PASSES),
      .CYCLES(TAIL - 1)
  ) carry_sum_pass (
      .clk(clk),
      .value_i(e3_sum_pass),
      .value_o(last_sum_pass)
  );
  always @(posedge clk) wb_sum_pass <= last_sum_pass & {PASSES{last_valid_i && !clear_i}};
  generate
    if (FPU != 0) begin : with_float_sum
      float_sum #(
          .LANES (LANES),
          .LEVELS(LEVELS)
      ) float_sum (
          .wb_pass_i  (wb_sum_pass),
          .wb_sum_i   (wb_scanned),
          .wb_addend_o(wb_addend_o)
      );
    end else begin : without_float_sum
      assign wb_addend_o = {LANES * 32{1'b0}};
      wire unused = &{1'b0, wb_scanned, wb_sum_pass};
    end
  endgenerate

  assign e1_shuffles_o = e1_valid_i && e1_control_i[C_SHUFFLE];
  shuffle #(
      .LANES(LANES)
  ) shuffle (
      .clk(clk),
      .e1_shuffle_i(e1_shuffles_o),
      .e1_a_i(e1_a_i),
      .e1_b_i(e1_b_i),
      .e1_lanes_i(e1_lanes_i),
      .e2_word_o(e2_word_o),
      .e2_from_o(e2_from_o)
  );
  always @(posedge clk) e3_shuffled_o <= e2_shuffle_i ? e2_shuffled_i : {LANES * 32{1'b0}};
  wire unused_control = &{1'b0, e1_control_i, e3_control_i, wb_control_i};
endmodule

`default_nettype wire
