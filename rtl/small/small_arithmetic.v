// SPDX-License-Identifier: Apache-2.0
// What an instruction computes from two operands of a lane, shifts apart; of a collective, what has come so far with
// this lane. One adder serves sums, differences and comparisons. Combinational.
`default_nettype none

module small_arithmetic (
    // the instruction, as small_decode.v and small_core.v tell it
    input wire       is_branch_i,
    input wire       is_register_i,
    input wire       is_immediate_i,
    input wire       is_custom_i,
    input wire [2:0] funct3_i,
    input wire [1:0] op_i,            // of a collective
    input wire [2:0] mode_i,
    input wire       alternative_i,   // bit 30: subtract; of a collective unsigned

    // operands
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    input wire [31:0] immediate_i,
    input wire [ 7:0] lane_bit_i,

    output wire [ 4:0] count_o,      // by how much a shift goes
    output wire [31:0] sum_o,        // an address, or what a is compared by
    output wire        condition_o,  // of a branch
    output reg  [31:0] so_far_o,     // of a collective
    output wire [31:0] identity_o,   // where it starts
    output reg  [31:0] result_o
);
  `include "rtl/small/collective_modes.vh"
  assign identity_o = {op_i[0] ? alternative_i : op_i[1] && !alternative_i, {30{op_i[0]}}, op_i[0] || mode_i == ALL};

  // One adder for sums, differences and comparisons; one for where to go.
  wire subtracts = is_branch_i || (is_register_i && alternative_i) ||
                   ((is_immediate_i || is_register_i) && funct3_i[2:1] == 2'b01) || (is_custom_i && op_i != 2'd0);
  wire [31:0] second = is_register_i || is_branch_i || is_custom_i ? b_i : immediate_i;
  assign count_o = second[4:0];
  wire is_unsigned = is_custom_i ? alternative_i : is_branch_i ? funct3_i[1] : funct3_i[0];
  wire [33:0] total = {!is_unsigned & a_i[31], a_i, 1'b1} +
                      {(!is_unsigned & second[31]) ^ subtracts, second ^ {32{subtracts}}, subtracts};
  assign sum_o = total[32:1];
  wire less = total[33];
  wire equal = a_i == b_i;
  assign condition_o = (funct3_i[2] ? less : equal) ^ funct3_i[0];
  wire holds = a_i != 32'd0;
  always @* begin
    so_far_o = sum_o;
    if (op_i != 2'd0) so_far_o = less == op_i[0] ? a_i : b_i;
    if (mode_i == BROADCAST) so_far_o = a_i;
    if (mode_i[2]) so_far_o = {24'd0, b_i[7:0] | (holds ? (mode_i == BALLOT ? lane_bit_i : 8'd1) : 8'd0)};
    if (mode_i == ALL) so_far_o = {31'd0, b_i[0] && holds};
  end
  always @* begin
    result_o = sum_o;
    if (is_custom_i) result_o = mode_i == INCLUSIVE ? so_far_o : b_i;
    if (is_immediate_i || is_register_i)
      case (funct3_i)
        3'd2, 3'd3: result_o = {31'd0, less};
        3'd4: result_o = a_i ^ second;
        3'd6: result_o = a_i | second;
        3'd7: result_o = a_i & second;
        default: ;
      endcase
  end
  wire unused = total[0];
endmodule

`default_nettype wire
