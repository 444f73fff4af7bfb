// SPDX-License-Identifier: Apache-2.0
// Results of a lane that are small numbers: comparisons, the class of a float, counts of bits. One a cycle; operands in
// stage e1, the result in e2. Says also, for pick_word.v, how the operands compare as floats.
`default_nettype none

module small_result #(
    parameter FPU = 1,  // 1: with floats
    parameter BITMANIP = 1  // 1: with counts
) (
    input wire clk,

    // stage e1: the operands, and what float_unit.v finds of them
    input wire [31:0] e1_a_i,
    input wire        e1_b_negative_i,
    input wire [31:0] e1_shift_in_i,    // a, or its bits reversed: zeros below the lowest set bit are counted
    input wire        e1_a_zero_i,
    input wire        e1_a_infinite_i,
    input wire        e1_a_nan_i,
    input wire        e1_a_tiny_i,
    input wire        e1_b_zero_i,
    input wire        e1_b_nan_i,

    // stage e2
    input  wire [2:0] e2_of_i,          // SMALL_* of operation.vh
    input  wire       e2_less_i,        // a < b, as ints or uints
    input  wire       e2_equal_i,       // a == b
    output wire       e2_below_o,       // of floats, in the order of sign and magnitude: -0 is below +0
    output reg        e2_a_nan_o,
    output reg        e2_b_nan_o,
    output reg        e2_a_negative_o,
    output reg        e2_b_negative_o,
    output reg  [9:0] e2_value_o
);
  `include "rtl/lane/operation.vh"

  // Zeros below the lowest set bit (of the reversed bits for clz), ones. They are there at e2.
  wire [5:0] e2_zeros, e2_ones;
  generate
    if (BITMANIP != 0) begin : with_counts
      count_bits count_bits (
          .clk(clk),
          .zeros_of_i(e1_shift_in_i),
          .ones_of_i(e1_a_i),
          .zeros_o(e2_zeros),
          .ones_o(e2_ones)
      );
    end else begin : without_counts
      assign {e2_zeros, e2_ones} = 12'd0;
      wire unused = &{1'b0, e1_a_i, e1_shift_in_i};
    end
  endgenerate

  reg e2_a_zero, e2_a_infinite, e2_a_quiet, e2_a_normal, e2_b_zero;
  always @(posedge clk) begin
    {e2_a_zero, e2_a_infinite, e2_a_nan_o, e2_b_zero, e2_b_nan_o} <= {
      e1_a_zero_i, e1_a_infinite_i, e1_a_nan_i, e1_b_zero_i, e1_b_nan_i
    };
    {e2_a_negative_o, e2_b_negative_o, e2_a_quiet} <= {e1_a_i[31], e1_b_negative_i, e1_a_i[22]};
    e2_a_normal <= !e1_a_tiny_i;
  end

  assign e2_below_o = e2_a_negative_o && e2_b_negative_o ? !e2_less_i && !e2_equal_i : e2_less_i;
  wire e2_float_less = e2_below_o && !(e2_a_zero && e2_b_zero);
  wire e2_float_equal = e2_equal_i || (e2_a_zero && e2_b_zero);
  wire e2_ordered = !e2_a_nan_o && !e2_b_nan_o;
  wire [9:0] e2_class = {
    e2_a_nan_o && e2_a_quiet,
    e2_a_nan_o && !e2_a_quiet,
    e2_a_infinite && !e2_a_negative_o,
    !e2_a_infinite && !e2_a_nan_o && e2_a_normal && !e2_a_negative_o,
    !e2_a_zero && !e2_a_normal && !e2_a_negative_o,
    e2_a_zero && !e2_a_negative_o,
    e2_a_zero && e2_a_negative_o,
    !e2_a_zero && !e2_a_normal && e2_a_negative_o,
    !e2_a_infinite && !e2_a_nan_o && e2_a_normal && e2_a_negative_o,
    e2_a_infinite && e2_a_negative_o
  };
  always @* begin
    e2_value_o = {9'd0, e2_less_i};
    case (e2_of_i)
      SMALL_FLOAT_EQUAL: if (FPU != 0) e2_value_o[0] = e2_ordered && e2_float_equal;
      SMALL_FLOAT_LESS: if (FPU != 0) e2_value_o[0] = e2_ordered && e2_float_less;
      SMALL_FLOAT_LESS_EQUAL: if (FPU != 0) e2_value_o[0] = e2_ordered && (e2_float_less || e2_float_equal);
      SMALL_CLASS: if (FPU != 0) e2_value_o = e2_class;
      SMALL_ZEROS: if (BITMANIP != 0) e2_value_o[5:0] = e2_zeros;
      SMALL_ONES: if (BITMANIP != 0) e2_value_o[5:0] = e2_ones;
      default: ;  // SMALL_LESS
    endcase
  end
endmodule

`default_nettype wire
