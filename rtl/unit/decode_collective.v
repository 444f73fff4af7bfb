// SPDX-License-Identifier: Apache-2.0
// Decodes custom-0 (contract/DEVICE.md, contract/collectives.h): collectives and exit. Combinational; part of decode.v.
// Of an illegal instruction, or one with another opcode, the outputs other than illegal_o mean nothing.
`include "rtl/shape.vh"
`default_nettype none

module decode_collective #(
    parameter FPU = 1  // 1: minimum, maximum and sums of floats are there
) (
    input wire [31:7] instruction_i,

    output reg illegal_o,
    output wire exit_o,
    output wire collective_o,  // through the tree; a barrier is not
    output reg shuffle_o,  // not through the tree
    output wire converges_o,  // of all live lanes, else at once
    output wire work_group_o,  // scope
    output reg rs2_used_o,  // a source of a broadcast or shuffle; not x0
    output reg writes_o,
    output wire sum_o,  // of floats: the lanes' adders make it
    output wire first_o,  // of a value of 64 bits
    output wire second_o,

    // what the tree does; T_* of rtl/group/collective.vh
    output wire [`HEDDLE_COLLECTIVE_BITS-1:0] operation_o,
    output wire predicate_o,  // what a lane brings: rs1 != 0,
    output wire ballot_o,  // that at the bit of its number,
    output wire broadcast_o,  // or nothing unless rs2 names it
    output wire inclusive_o,  // what a lane gets; of neither the last one's value
    output wire exclusive_o
);
  `include "rtl/group/collective.vh"
  wire [2:0] funct3 = instruction_i[14:12];
  wire [1:0] type_of = instruction_i[31:30];
  wire [2:0] mode = instruction_i[29:27];
  wire [1:0] op = instruction_i[26:25];
  wire rd_is_x0 = instruction_i[11:7] == 5'd0;
  wire rs1_is_x0 = instruction_i[19:15] == 5'd0;
  wire rs2_is_x0 = instruction_i[24:20] == 5'd0;

  wire wide = funct3[2];  // a word of 64 bits; the upper bit of type says which
  wire active = funct3[1:0] == `HEDDLE_SCOPE_ACTIVE;
  wire has_op = mode <= `HEDDLE_MODE_EXCLUSIVE;
  wire bare = type_of == 2'd0 && op == 2'd0;
  wire bitwise = type_of == `HEDDLE_TYPE_BITS && !wide;
  wire is_float = type_of == `HEDDLE_TYPE_FLOAT && !wide;
  wire of_op_0 = op == 2'd0;  // the sum, bitwise and
  wire of_op_2 = op == 2'd2;  // the maximum, exclusive or

  // Barriers and shuffles have the same mode.
  assign collective_o = !exit_o && mode != `HEDDLE_MODE_BARRIER;
  assign exit_o = funct3 == `HEDDLE_SCOPE_CONTROL;
  assign converges_o = !active && !exit_o;
  assign work_group_o = funct3[0];
  assign {first_o, second_o} = {wide && !type_of[1], wide && type_of[1]};
  assign sum_o = FPU != 0 && has_op && is_float && of_op_0 && funct3[2:1] == 2'd0;  // of either scope

  // Legal operators; then legal instructions.
  wire operation_legal = op != 2'd3 && (!is_float || (FPU != 0 && !of_op_0));
  wire wide_legal = has_op && op != 2'd3;
  wire converged_legal = has_op ? operation_legal || sum_o :
                         mode <= `HEDDLE_MODE_BARRIER && bare &&
                         (mode != `HEDDLE_MODE_BARRIER || (rs1_is_x0 && rs2_is_x0 && rd_is_x0));
  wire active_legal = has_op ? operation_legal : mode != `HEDDLE_MODE_BROADCAST && bare;
  always @* begin
    shuffle_o  = 1'b0;
    rs2_used_o = 1'b0;
    writes_o   = !rd_is_x0;
    if (exit_o) begin
      writes_o  = 1'b0;
      illegal_o = instruction_i[31:25] != 7'd0;
    end else if (active) begin
      shuffle_o  = mode == `HEDDLE_MODE_SHUFFLE && !wide;
      rs2_used_o = !rs2_is_x0 && mode == `HEDDLE_MODE_SHUFFLE;
      illegal_o  = wide ? !wide_legal : !active_legal;
    end else begin
      rs2_used_o = !rs2_is_x0 && mode == `HEDDLE_MODE_BROADCAST;
      writes_o   = !rd_is_x0 && mode != `HEDDLE_MODE_BARRIER;
      illegal_o  = wide ? funct3[0] || !wide_legal : !converged_legal;
    end
  end

  // Votes are minimum and maximum of the predicates as uint, broadcast and ballot a sum.
  assign operation_o[T_BITS] = has_op && bitwise;
  assign operation_o[T_ADD] = has_op ? of_op_0 ^ bitwise :
      mode == `HEDDLE_MODE_BROADCAST || mode == `HEDDLE_MODE_BALLOT;
  assign operation_o[T_MAX] = has_op ? of_op_2 : mode == `HEDDLE_MODE_ANY;
  assign operation_o[T_SIGNED] = has_op && (wide ? type_of == `HEDDLE_TYPE_INT && !of_op_0 : !type_of[0]);
  assign operation_o[T_FLOAT] = has_op && is_float;
  assign predicate_o = mode == `HEDDLE_MODE_ALL || mode == `HEDDLE_MODE_ANY;
  assign ballot_o = mode == `HEDDLE_MODE_BALLOT;
  assign broadcast_o = mode == `HEDDLE_MODE_BROADCAST;
  assign inclusive_o = mode == `HEDDLE_MODE_INCLUSIVE;
  assign exclusive_o = mode == `HEDDLE_MODE_EXCLUSIVE;
endmodule

`default_nettype wire
