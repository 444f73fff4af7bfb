// SPDX-License-Identifier: Apache-2.0
// Logic of a lane: xor, or, and; and, of words picked in parts from the first operand, the second, zeros and ones, min,
// max, fmin, fmax, fsgnj, sext and orc.b in all their forms. One a cycle; operands in stage e1, the result in e2.
`default_nettype none

module logic_result #(
    parameter FPU = 1,  // 1: with floats
    parameter BITMANIP = 1  // 1: with Zbb
) (
    input wire clk,

    // stage e1
    input wire [31:0] e1_a_i,
    input wire [31:0] e1_b_i,
    input wire [ 1:0] e1_logic_i,  // LOGIC_* of operation.vh; LOGIC_FIRST with a pick
    input wire [ 2:0] e1_pick_i,   // PICK_* of operation.vh

    // stage e2
    input  wire [ 1:0] e2_variant_i,     // which of the pick's instructions
    input  wire [31:0] e2_second_i,      // what a pick takes for the second operand
    input  wire        e2_less_i,        // a < b, as ints or uints
    input  wire        e2_below_i,       // the same of floats
    input  wire        e2_a_nan_i,
    input  wire        e2_b_nan_i,
    input  wire        e2_a_negative_i,
    input  wire        e2_b_negative_i,
    output wire [31:0] e2_value_o
);
  `include "rtl/lane/operation.vh"
  reg [31:0] e1_logic, e2_logic;
  always @* begin
    case (e1_logic_i)
      LOGIC_XOR: e1_logic = e1_a_i ^ e1_b_i;
      LOGIC_FIRST: e1_logic = e1_a_i;
      LOGIC_OR: e1_logic = e1_a_i | e1_b_i;
      default: e1_logic = e1_a_i & e1_b_i;
    endcase
  end

  localparam [1:0] SECOND = 2'd0, FIRST = 2'd1, ZEROS = 2'd2, ONES = 2'd3;
  reg [1:0] e2_pick_31, e2_pick_24, e2_pick_22, e2_pick_16, e2_pick_8, e2_pick_0;  // by lowest bit
  reg [1:0] e2_pick;
  reg e2_minimum, e2_float_minimum, e2_sign, e2_extend, e2_of_bytes;  // what picks
  reg [3:0] e2_bytes;
  always @(posedge clk) begin
    e2_logic <= e1_logic;
    e2_minimum <= BITMANIP != 0 && e1_pick_i == PICK_MINIMUM;
    e2_float_minimum <= FPU != 0 && e1_pick_i == PICK_FLOAT_MINIMUM;
    e2_sign <= FPU != 0 && e1_pick_i == PICK_SIGN;
    e2_extend <= BITMANIP != 0 && e1_pick_i == PICK_EXTEND;
    e2_of_bytes <= BITMANIP != 0 && e1_pick_i == PICK_BYTES;
    e2_bytes <= {e1_a_i[31:24] != 8'd0, e1_a_i[23:16] != 8'd0, e1_a_i[15:8] != 8'd0, e1_a_i[7:0] != 8'd0};
  end
  always @* begin
    e2_pick = FIRST;
    if (e2_minimum && e2_less_i == e2_variant_i[0]) e2_pick = SECOND;
    if (e2_float_minimum && (e2_a_nan_i || (!e2_b_nan_i && e2_below_i == e2_variant_i[0]))) e2_pick = SECOND;
    {e2_pick_31, e2_pick_24, e2_pick_22, e2_pick_16, e2_pick_8, e2_pick_0} = {6{e2_pick}};
    if (e2_float_minimum && e2_a_nan_i && e2_b_nan_i)
      {e2_pick_31, e2_pick_24, e2_pick_22, e2_pick_16, e2_pick_8, e2_pick_0} = {ZEROS, ONES, ONES, ZEROS, ZEROS, ZEROS};
    if (e2_sign) e2_pick_31 = {1'b1, e2_b_negative_i ^ e2_variant_i[0] ^ (e2_variant_i[1] && e2_a_negative_i)};
    if (e2_extend) begin
      {e2_pick_31, e2_pick_24, e2_pick_22, e2_pick_16} = {4{1'b1, e2_variant_i[0] ? e2_logic[15] : e2_logic[7]}};
      if (!e2_variant_i[0]) e2_pick_8 = {1'b1, e2_logic[7]};
    end
    if (e2_of_bytes)
      {e2_pick_31, e2_pick_24, e2_pick_22, e2_pick_16, e2_pick_8, e2_pick_0} = {
        {2{1'b1, e2_bytes[3]}}, {2{1'b1, e2_bytes[2]}}, {1'b1, e2_bytes[1]}, {1'b1, e2_bytes[0]}
      };
  end
  function [31:0] spread(input bit31, input bit24, input bit22, input bit16, input bit8, input bit0);
    spread = {bit31, {7{bit24}}, {2{bit22}}, {6{bit16}}, {8{bit8}}, {8{bit0}}};
  endfunction
  wire [31:0] e2_force = spread(e2_pick_31[1], e2_pick_24[1], e2_pick_22[1], e2_pick_16[1], e2_pick_8[1], e2_pick_0[1]);
  wire [31:0] e2_choose = spread(
      e2_pick_31[0], e2_pick_24[0], e2_pick_22[0], e2_pick_16[0], e2_pick_8[0], e2_pick_0[0]
  );
  assign e2_value_o = (e2_choose & (e2_force | e2_logic)) | (~e2_choose & ~e2_force & e2_second_i);
endmodule

`default_nettype wire
