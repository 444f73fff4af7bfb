// SPDX-License-Identifier: Apache-2.0
// The product of two floats (binary32 with subnormals, to nearest even), for kernel pipelines: less than two thirds of
// the room of rtl/lane/float_unit.v, whose frame holds an addend as well; results are the same bit for bit. One a cycle;
// LATENCY is 7 cycles.
`default_nettype none

module float_multiply #(
    parameter MULTIPLIED_SHIFTS = 0  // 1: the shift by less than 16 is a product by a power of two: two more DSP blocks
) (
    input wire clk,
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    output reg [31:0] y_o
);
  localparam LATENCY = 7;

  // ---- What the operands are. A subnormal's exponent is 1.
  wire a_tiny = a_i[30:23] == 8'd0, b_tiny = b_i[30:23] == 8'd0;  // zero or subnormal
  reg [23:0] s1_x, s1_y;
  reg [8:0] s1_exponent;  // their sum
  reg s1_a_tiny, s1_a_huge, s1_a_whole, s1_b_tiny, s1_b_huge, s1_b_whole, s1_sign;
  always @(posedge clk) begin
    {s1_x, s1_y} <= {!a_tiny, a_i[22:0], !b_tiny, b_i[22:0]};
    s1_exponent <= {1'b0, a_i[30:24], a_i[23] || a_tiny} + {1'b0, b_i[30:24], b_i[23] || b_tiny};
    {s1_a_tiny, s1_a_huge, s1_a_whole} <= {a_tiny, a_i[30:23] == 8'd255, a_i[22:0] == 23'd0};
    {s1_b_tiny, s1_b_huge, s1_b_whole} <= {b_tiny, b_i[30:23] == 8'd255, b_i[22:0] == 23'd0};
    s1_sign <= a_i[31] ^ b_i[31];
  end
  wire [47:0] s3_product;
  mantissa_product mantissa_product (
      .clk(clk),
      .x_i(s1_x),
      .y_i(s1_y),
      .product_o(s3_product)
  );

  // ---- The product stands below 32 zeros. It moves up by them and its own leading zeros, but no further than the
  // exponent allows: so results that are subnormal keep some of the zeros.
  wire a_zero = s1_a_tiny && s1_a_whole, b_zero = s1_b_tiny && s1_b_whole;
  reg s2_sign, s2_zero, s2_huge, s2_nan, s3_sign, s3_zero, s3_huge, s3_nan;
  reg [9:0] s2_exponent, s3_exponent;  // of the upper one of the zeros, less one, as two's complement
  reg [5:0] s3_limit;
  wire s2_far = s2_exponent[9], s2_free = s2_exponent[8:6] != 3'd0;
  always @(posedge clk) begin
    s2_sign <= s1_sign;
    s2_exponent <= {1'b0, s1_exponent} - 10'd95;
    s2_huge <= s1_a_huge || s1_b_huge;
    s2_nan <= (s1_a_huge && (!s1_a_whole || b_zero)) || (s1_b_huge && (!s1_b_whole || a_zero));
    s2_zero <= a_zero || b_zero;
    {s3_sign, s3_huge, s3_nan, s3_exponent} <= {s2_sign, s2_huge, s2_nan, s2_exponent};
    s3_zero <= s2_zero || s2_far;  // below half of the smallest number
    s3_limit <= s2_exponent[5:0] | {6{s2_free}};
  end

  // ---- Of 24 leading zeros at most: a product that has more is below all numbers.
  reg [4:0] zeros;
  reg [2:0] nibble;  // without its lowest bit, which does not matter
  always @* begin
    if (s3_product[47:44] != 4'd0) {zeros[4:2], nibble} = {3'd0, s3_product[47:45]};
    else if (s3_product[43:40] != 4'd0) {zeros[4:2], nibble} = {3'd1, s3_product[43:41]};
    else if (s3_product[39:36] != 4'd0) {zeros[4:2], nibble} = {3'd2, s3_product[39:37]};
    else if (s3_product[35:32] != 4'd0) {zeros[4:2], nibble} = {3'd3, s3_product[35:33]};
    else if (s3_product[31:28] != 4'd0) {zeros[4:2], nibble} = {3'd4, s3_product[31:29]};
    else if (s3_product[27:24] != 4'd0) {zeros[4:2], nibble} = {3'd5, s3_product[27:25]};
    else {zeros[4:2], nibble} = {3'd6, 3'd4};
    zeros[1:0] = nibble[2] ? 2'd0 : nibble[1] ? 2'd1 : nibble[0] ? 2'd2 : 2'd3;
  end
  reg s4_sign, s4_zero, s4_huge, s4_nan;
  reg [ 9:0] s4_exponent;
  reg [ 5:0] s4_shift;
  reg [47:0] s4_product;
  always @(posedge clk) begin
    {s4_sign, s4_zero, s4_huge, s4_nan, s4_exponent} <= {s3_sign, s3_zero, s3_huge, s3_nan, s3_exponent};
    s4_shift <= s3_limit < {1'b1, zeros} ? s3_limit : {1'b1, zeros};
    s4_product <= s3_product;
  end

  // ---- By blocks of 16. Registers that are reset choose the block.
  wire [3:0] chosen = 4'd1 << s4_shift[5:4];
  reg s5_sign, s5_zero, s5_huge, s5_nan;
  reg [ 9:0] s5_exponent;
  reg [ 3:0] s5_shift;
  reg [15:0] s5_top;
  reg [ 7:0] s5_0;  // what comes below it
  reg [23:0] s5_1, s5_2;
  reg [15:0] s5_3;
  reg [ 9:0] s5_any;  // any of four bits that are below that
  always @(posedge clk) begin
    {s5_sign, s5_zero, s5_huge, s5_nan} <= {s4_sign, s4_zero, s4_huge, s4_nan};
    s5_exponent <= s4_exponent - {4'd0, s4_shift};
    s5_shift <= s4_shift[3:0];
    s5_top <= s4_shift[4] ? s4_product[31:16] : s4_product[47:32];
    if (!s4_shift[5]) s5_top <= 16'd0;
    s5_0 <= s4_product[47:40];
    s5_any[9:6] <= {
      s4_product[39:36] != 4'd0, s4_product[35:32] != 4'd0, s4_product[31:28] != 4'd0, s4_product[27:24] != 4'd0
    };
    if (!chosen[0]) {s5_0, s5_any[9:6]} <= 12'd0;
    s5_1 <= s4_product[47:24];
    if (!chosen[1]) s5_1 <= 24'd0;
    s5_any[5:2] <= {
      s4_product[23:20] != 4'd0, s4_product[19:16] != 4'd0, s4_product[15:12] != 4'd0, s4_product[11:8] != 4'd0
    };
    if (s4_shift[5]) s5_any[5:2] <= 4'd0;
    s5_2 <= s4_product[31:8];
    if (!chosen[2]) s5_2 <= 24'd0;
    s5_any[1:0] <= {s4_product[7:4] != 4'd0, s4_product[3:0] != 4'd0};
    if (chosen[3]) s5_any[1:0] <= 2'd0;
    s5_3 <= s4_product[15:0];
    if (!chosen[3]) s5_3 <= 16'd0;
  end
  wire [39:0] window = {s5_top, s5_1 | s5_2 | {s5_3, 8'd0} | {16'd0, s5_0}};

  // ---- And the rest. The leading one of a normal number makes up for the exponent less one.
  reg s6_sign, s6_huge, s6_nan, s6_low;
  reg [7:0] s6_exponent;
  always @(posedge clk) begin
    s6_sign <= s5_sign && !s5_nan;
    s6_huge <= s5_huge || (!s5_zero && (s5_exponent[8] || s5_exponent[7:1] == 7'd127));
    s6_nan <= s5_nan;
    s6_exponent <= s5_exponent[7:0];
    s6_low <= s5_any != 10'd0;
    if (s5_zero) s6_exponent <= 8'd0;
  end
  wire [23:0] mantissa;
  wire guard, low;
  generate
    if (MULTIPLIED_SHIFTS) begin : multiplied
      reg [15:0] power;
      always @(posedge clk) begin
        power <= 16'd1 << s4_shift[3:0];
        if (s4_zero) power <= 16'd0;
      end
      multiplied_shift multiplied_shift (
          .clk(clk),
          .window_i(window),
          .power_i(power),
          .up_o({mantissa, guard}),
          .low_o(low)
      );
      wire unused = &{1'b0, s5_shift};
    end else begin : shifted
      wire [39:0] up_12 = window << {s5_shift[3:2], 2'd0};
      wire [27:0] up = up_12[39:12] << s5_shift[1:0];
      reg [24:0] s6_up;
      reg s6_low_of_window;
      always @(posedge clk) begin
        s6_up <= up[27:3];
        s6_low_of_window <= up[2:0] != 3'd0 || up_12[11:0] != 12'd0;
        if (s5_zero) s6_up <= 25'd0;
      end
      assign {mantissa, guard, low} = {s6_up, s6_low_of_window};
    end
  endgenerate

  // ---- To nearest even. A carry goes on into the exponent.
  wire increment = guard && (s6_low || low || mantissa[0]);
  always @(posedge clk) begin
    y_o <= {s6_sign, {s6_exponent, 23'd0} + {7'd0, mantissa} + {30'd0, increment}};
    if (s6_huge) y_o[30:0] <= {8'd255, s6_nan, 22'd0};
  end
  wire unused = &{1'b0, LATENCY[0], s5_exponent[9]};
endmodule

`default_nettype wire
