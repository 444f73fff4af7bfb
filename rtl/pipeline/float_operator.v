// SPDX-License-Identifier: Apache-2.0
// A float operation fixed by OPERATION, whose results are those of the programmable unit bit for bit: the lane's own
// floating point (rtl/lane/float_unit.v), or, where it is rounded to nearest even, float_add.v, float_multiply.v and
// float_fused.v, which are smaller. One a cycle; LATENCY is 7 cycles, of a sum 6.
`default_nettype none

module float_operator #(
    // 0 a + b, 1 a - b, 2 a * b, 3 a * b + c, 4 float of uint a, 5 of int a, 6 uint of float a, 7 int of float a
    parameter OPERATION = 0,
    parameter [2:0] ROUNDING = 0,  // as in the rm field, 0 to 4; of a sum 0, to nearest even
    parameter MULTIPLIED_SHIFTS = 0  // of products, as in float_multiply.v and float_fused.v
) (
    input wire clk,
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    input wire [31:0] c_i,
    output wire [31:0] y_o
);
  localparam SUM = OPERATION <= 1, LATENCY = SUM ? 6 : 7, PRODUCT = OPERATION == 2, FUSED = OPERATION == 3;
  localparam FROM = OPERATION == 4 || OPERATION == 5, TO = OPERATION == 6 || OPERATION == 7;
  /* verilator lint_off UNUSEDPARAM */
  // Conversions alone ask for it.
  localparam SIGNED = OPERATION == 5 || OPERATION == 7;
  /* verilator lint_on UNUSEDPARAM */
  generate
    if (SUM && ROUNDING != 0) begin : check_rounding
      float_operator_sums_are_to_nearest_even stop ();
    end
    if (SUM) begin : added
      float_add #(
          .SUBTRACT(OPERATION)
      ) float_add (
          .clk(clk),
          .a_i(a_i),
          .b_i(b_i),
          .y_o(y_o)
      );
    end else if (PRODUCT && ROUNDING == 0) begin : multiplied_to_nearest
      float_multiply #(
          .MULTIPLIED_SHIFTS(MULTIPLIED_SHIFTS)
      ) float_multiply (
          .clk(clk),
          .a_i(a_i),
          .b_i(b_i),
          .y_o(y_o)
      );
    end else if (FUSED && ROUNDING == 0) begin : fused_to_nearest
      float_fused #(
          .MULTIPLIED_SHIFTS(MULTIPLIED_SHIFTS)
      ) float_fused (
          .clk(clk),
          .a_i(a_i),
          .b_i(b_i),
          .c_i(c_i),
          .y_o(y_o)
      );
    end else begin : other
      wire [31:0] a = TO ? 32'd0 : a_i;
      wire [31:0] b = FROM ? 32'd1 : TO ? 32'd0 : b_i;
      wire [31:0] c = FUSED ? c_i : TO ? a_i : 32'd0;
      wire [31:0] x, y, rounded, known;
      wire [47:0] product;
      wire fixed;
      // For quotients, roots and comparisons, which are not made here.
      wire a_tiny, b_tiny, a_zero, a_infinite, a_nan, b_zero, b_infinite, b_nan;
      wire [9:0] exponent;
      wire unused_class = &{1'b0, a_tiny, b_tiny, a_zero, a_infinite, a_nan, b_zero, b_infinite, b_nan, exponent};
      float_unit float_unit (
          .clk(clk),
          .rd_from_i(FROM ? 1'b1 : 1'b0),
          .rd_to_i(TO ? 1'b1 : 1'b0),
          .rd_quotient_i(1'b0),
          .rd_divide_i(1'b0),
          .rd_root_i(1'b0),
          .op_active_i(1'b1),
          .op_floats_i(FROM || TO ? 1'b0 : 1'b1),
          .op_multiply_i(PRODUCT ? 1'b1 : 1'b0),
          .op_from_i(FROM ? 1'b1 : 1'b0),
          .op_to_i(TO ? 1'b1 : 1'b0),
          .op_signed_i(SIGNED ? 1'b1 : 1'b0),
          .op_quotient_i(1'b0),
          .op_divide_i(1'b0),
          .op_negate_product_i(1'b0),
          .op_negate_addend_i(1'b0),
          .op_rounding_i(ROUNDING),
          .op_a_exponent_i(a[30:23]),
          .op_a_i(a),
          .op_b_i(b),
          .op_c_i(c),
          .op_c_whole_i(c[22:0] == 23'd0),
          .multiplicand_o(x),
          .multiplier_o(y),
          .e3_product_i(product),
          .a_tiny_o(a_tiny),
          .b_tiny_o(b_tiny),
          .a_zero_o(a_zero),
          .a_infinite_o(a_infinite),
          .a_nan_o(a_nan),
          .b_zero_o(b_zero),
          .b_infinite_o(b_infinite),
          .b_nan_o(b_nan),
          .exponent_o(exponent),
          .rounded_o(rounded),
          .fixed_o(fixed),
          .known_o(known)
      );
      if (FROM) begin : copied  // times one: no multiplier
        reg [31:0] first, second;
        always @(posedge clk) {first, second} <= {x, first};
        assign product = {16'd0, second};
        wire unused = &{1'b0, y};
      end else if (TO) begin : none
        assign product = 48'd0;
        wire unused = &{1'b0, x, y};
      end else begin : multiplied
        mantissa_product mantissa_product (
            .clk(clk),
            .x_i(x[23:0]),
            .y_i(y[23:0]),
            .product_o(product)
        );
        wire unused = &{1'b0, x[31:24], y[31:24]};
      end
      reg [31:0] y_7;
      always @(posedge clk) y_7 <= fixed ? known : rounded;
      assign y_o = y_7;
    end
  endgenerate
  wire unused = &{1'b0, LATENCY[0], c_i, b_i};
endmodule

`default_nettype wire
