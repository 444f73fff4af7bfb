// SPDX-License-Identifier: Apache-2.0
// The products of a lane, also of mantissas; one a cycle, from e1 to e3. Where room is scarce a shift is one (SHIFTS).
`default_nettype none

module product #(
    parameter MUL = 1,  // 0: there are none, and the outputs are 0
    parameter SHIFTS = 0  // 1: shifts are products, by a power of two
) (
    input wire clk,

    // stage op: whether a factor is an int below 0; a mantissa never is
    input wire op_a_negative_i,
    input wire op_b_negative_i,

    // stage e1
    input wire [31:0] e1_a_i,
    input wire [31:0] e1_b_i,
    input wire        e1_high_i,   // the upper half is wanted
    input wire        e1_shift_i,  // with SHIFTS: a is shifted instead,
    input wire        e1_right_i,  // to the right,
    input wire        e1_fill_i,   // where ones come in,
    input wire [ 4:0] e1_amount_i, // by so much

    // stage e3
    output wire [31:0] e3_value_o,
    output wire [47:0] e3_full_o
);
  generate
    if (MUL != 0) begin : with_multiplier
      reg e1_a_negative, e1_b_negative;
      always @(posedge clk) {e1_a_negative, e1_b_negative} <= {op_a_negative_i, op_b_negative_i};
      // The low half of a product is what a left shift gives, the high half what a right one does. To the right by n is
      // times 2^(32 - n), or for n = 0 times 1, of which the low half counts.
      wire is_shift = SHIFTS != 0 && e1_shift_i;
      wire [4:0] power = e1_right_i ? -e1_amount_i : e1_amount_i;
      wire [31:0] shift_by = 32'd1 << power;
      multiplier multiplier (
          .clk(clk),
          .a_i(e1_a_i),
          .b_i(is_shift ? shift_by : e1_b_i),
          .a_negative_i(is_shift ? e1_fill_i : e1_a_negative),
          .b_negative_i(!is_shift && e1_b_negative),
          .high_i(is_shift ? e1_right_i && e1_amount_i != 5'd0 : e1_high_i),
          .product_o(e3_value_o),
          .full_o(e3_full_o)
      );
    end else begin : without_multiplier
      assign {e3_value_o, e3_full_o} = 80'd0;
      wire unused = &{1'b0, clk, op_a_negative_i, op_b_negative_i, e1_a_i, e1_b_i, e1_high_i};
      wire unused_shift = &{1'b0, e1_shift_i, e1_right_i, e1_fill_i, e1_amount_i};
    end
  endgenerate
endmodule

`default_nettype wire
