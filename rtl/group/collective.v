// SPDX-License-Identifier: Apache-2.0
// A sub-group's collectives: prepares each lane's contribution, runs them through the scan tree, picks what each lane
// gets. all, any, ballot and broadcast are reductions too: minimum, maximum or sum of predicates, and the sum of one
// lane's value. Sums of floats are made by the lanes: then the tree is silent, and what they have comes in at its end
// (float_sum.v). One operation a cycle. Operands in stage e1, results in stage wb, TAIL + 2 cycles later.
`include "rtl/shape.vh"
`default_nettype none

module collective #(
    parameter LANES = 8,  // power of two, 1 to 32
    parameter LEVELS = 3,  // log2(LANES)
    parameter SLOT_BITS = 5,  // bits of a sub-group id
    parameter TAIL = 4,  // stages from e3 to wb; at least LEVELS
    parameter FPU = 1  // 1: with minimum and maximum of floats
) (
    input wire clk,

    // stage e1
    input wire [LANES*32-1:0] e1_a_i,  // rs1
    input wire [LANES-1:0] e1_nan_i,  // rs1 is a NaN, where there is floating point
    input wire [LANES*32-1:0] e1_b_i,  // rs2: source of a broadcast
    input wire [LANES-1:0] e1_lanes_i,  // lanes that contribute
    input wire [`HEDDLE_COLLECTIVE_BITS-1:0] e1_operation_i,  // T_* of collective.vh
    input wire e1_first_i,  // the first word of a 64-bit collective; its second comes five cycles later or more
    input wire e1_second_i,
    input wire [SLOT_BITS-1:0] op_slot_i,  // of the stage before
    input wire op_work_group_i,  // scope: a broadcast's source is a linear local id
    input wire [SLOT_BITS-1:0] op_sub_group_i,
    input wire [2:0] sub_group_log2_i,
    input wire e1_predicate_i,
    input wire e1_ballot_i,
    input wire e1_broadcast_i,
    input wire e1_carried_i,  // second pass of a work-group collective: carry comes in before lane 0
    input wire [31:0] e1_carry_i,

    // the stage before wb
    input wire [LANES*32-1:0] last_sum_i,  // with a sum of floats, where add and no lanes were said in e1; else 0

    // stage wb; what a lane gets, one-hot, or none
    input  wire                wb_own_i,      // what the lanes up to itself give
    input  wire                wb_before_i,   // what the lanes before itself give
    input  wire                wb_all_i,      // what all lanes give
    output reg  [LANES*32-1:0] wb_value_o,    // 0 when none
    output wire [LANES*32-1:0] wb_scanned_o,  // of each lane, the inclusive scan
    output wire [        31:0] wb_total_o
);
  `include "rtl/group/collective.vh"
  // Floats are mapped to ints of their order on the way in, and back on the way out; between the two a NaN would lie
  // outside the infinities, and contributes nothing.
  integer i;
  wire e1_float = FPU != 0 && e1_operation_i[T_FLOAT] && !e1_operation_i[T_ADD];
  wire [LANES-1:0] e1_nan = e1_nan_i & {LANES{e1_float}};
  wire [31:0] identity;
  identity_element identity_element (
      .operation_i({e1_float, e1_operation_i[T_FLOAT-1:0]}),
      .value_o(identity)
  );

  // The number by which a broadcast names this sub-group's lane 0.
  reg [31:0] first_id;
  always @(posedge clk)
    first_id <= op_work_group_i ? {{(32 - SLOT_BITS) {1'b0}}, op_sub_group_i} << sub_group_log2_i : 32'd0;

  // e1: what is asked of each lane's operands.
  reg [LANES*32-1:0] e2_a;
  reg [31:0] e2_carry, e2_identity;
  reg [LANES-1:0] e2_lanes, e2_true, e2_other;  // contributes, is not zero, is not the broadcast's source
  reg [`HEDDLE_COLLECTIVE_BITS-1:0] e2_operation;
  reg e2_first, e2_second, e2_predicate, e2_ballot, e2_broadcast, e2_carries;
  reg [LANES-1:0] e2_inverts;
  always @(posedge clk) begin
    e2_a <= e1_a_i;
    e2_carry <= e1_carry_i;
    e2_identity <= identity;
    e2_lanes <= e1_lanes_i & ~e1_nan;
    for (i = 0; i < LANES; i = i + 1) begin
      e2_true[i] <= e1_a_i[i*32+:32] != 32'd0;
      e2_inverts[i] <= e1_float && e1_a_i[i*32+31];
      e2_other[i] <= e1_b_i[i*32+:32] != (first_id | i);
    end
    {e2_operation, e2_first, e2_second} <= {e1_operation_i, e1_first_i, e1_second_i};
    {e2_predicate, e2_ballot, e2_broadcast, e2_carries} <= {e1_predicate_i, e1_ballot_i, e1_broadcast_i, e1_carried_i};
  end

  // e2: what each lane contributes. Only scans carry, and of them lane 0 takes its operand as it is: the carry's adder
  // does not wait.
  wire [31:0] e2_first_word = e2_a[31:0] ^ {1'b0, {31{e2_inverts[0]}}};
  wire [31:0] carried;
  wire [ 8:0] unused_state;
  scan_operator join_carry (
      .operation_i(e2_operation),
      .carry_i(!e2_operation[T_ADD]),
      .known_i(2'b01),
      .a_i(e2_carry),
      .b_i(e2_first_word),
      .moved_b_i(32'd0),
      .y_o(carried),
      .left_o(unused_state)
  );
  reg [LANES*32-1:0] e3_x;
  reg [`HEDDLE_COLLECTIVE_BITS-1:0] e3_operation;
  reg e3_first, e3_second;
  reg [LANES-1:0] own, fixed;  // the lane's operand; 0 but for the bit of a predicate; or else the identity
  always @* begin
    for (i = 0; i < LANES; i = i + 1) begin
      fixed[i] = e2_lanes[i] && (e2_predicate || e2_ballot || (e2_broadcast && e2_other[i]));
      own[i]   = e2_lanes[i] && !fixed[i];
    end
  end
  always @(posedge clk) begin
    for (i = 0; i < LANES; i = i + 1) begin
      e3_x[i*32+:32] <= own[i] ? e2_a[i*32+:32] ^ {1'b0, {31{e2_inverts[i]}}} : e2_identity;
      if (fixed[i]) e3_x[i*32+:32] <= 32'd0;
      if (fixed[i]) e3_x[i*32] <= e2_predicate && e2_true[i];
      if (fixed[i] && e2_ballot) e3_x[i*33] <= e2_true[i];
    end
    if (e2_carries) e3_x[31:0] <= e2_lanes[0] ? carried : e2_carry;
    {e3_operation, e3_first, e3_second} <= {e2_operation, e2_first, e2_second};
  end

  wire [LANES*32-1:0] scanned, wb_scanned;
  scan_tree #(
      .LANES(LANES),
      .LEVELS(LEVELS),
      .SLOT_BITS(SLOT_BITS)
  ) tree (
      .clk(clk),
      .operation_i(e3_operation),
      .first_i(e3_first),
      .second_i(e3_second),
      .early_slot_i(op_slot_i),
      .early_second_i(e2_second),
      .early_add_i(e2_operation[T_ADD]),
      .x_i(e3_x),
      .y_o(scanned)
  );
  // Back to floats, in the stage before wb if there is one.
  localparam SPARE = TAIL > LEVELS ? 1 : 0;
  wire [LANES*32-1:0] last, last_value, last_sum;
  wire last_float;
  delay #(
      .WIDTH (LANES * 32),
      .CYCLES(TAIL - LEVELS - SPARE)
  ) wait_for_write_back (
      .clk(clk),
      .value_i(scanned),
      .value_o(last)
  );
  delay #(
      .WIDTH (1),
      .CYCLES(TAIL + 2 - SPARE)
  ) carry_float (
      .clk(clk),
      .value_i(e1_float),
      .value_o(last_float)
  );
  genvar n;
  generate
    for (n = 0; n < LANES; n = n + 1) begin : lane
      float_order order (
          .float_i(last_float),
          .word_i (last[n*32+:32]),
          .word_o (last_value[n*32+:32])
      );
    end
  endgenerate
  delay #(
      .WIDTH (LANES * 32),
      .CYCLES(1 - SPARE)
  ) sums (
      .clk(clk),
      .value_i(last_sum_i),
      .value_o(last_sum)
  );
  delay #(
      .WIDTH (LANES * 32),
      .CYCLES(SPARE)
  ) values (
      .clk(clk),
      .value_i(last_value | last_sum),
      .value_o(wb_scanned)
  );
  // The total goes on as it is in the tree; that of a sum of floats is there.
  delay #(
      .WIDTH (32),
      .CYCLES(SPARE)
  ) total (
      .clk(clk),
      .value_i(last[LANES*32-1-:32] | last_sum[LANES*32-1-:32]),
      .value_o(wb_total_o)
  );

  // What lane 0 gets of an exclusive scan.
  wire [31:0] last_first, last_first_value, wb_first;
  delay #(
      .WIDTH (32),
      .CYCLES(TAIL + 2 - SPARE)
  ) carry_first (
      .clk(clk),
      .value_i(e1_carried_i ? e1_carry_i : identity),
      .value_o(last_first)
  );
  float_order order_identity (
      .float_i(last_float),
      .word_i (last_first),
      .word_o (last_first_value)
  );
  delay #(
      .WIDTH (32),
      .CYCLES(SPARE)
  ) first (
      .clk(clk),
      .value_i(last_first_value),
      .value_o(wb_first)
  );

  assign wb_scanned_o = wb_scanned;
  wire [31:0] wb_reduced = wb_scanned[LANES*32-1-:32];
  always @* begin
    for (i = 0; i < LANES; i = i + 1)
    wb_value_o[i*32+:32] = (wb_scanned[i*32+:32] & {32{wb_own_i}}) | (wb_reduced & {32{wb_all_i}}) |
                             ((i == 0 ? wb_first : wb_scanned[(i > 0 ? i - 1 : 0)*32+:32]) & {32{wb_before_i}});
  end
endmodule

`default_nettype wire
