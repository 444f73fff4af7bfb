// SPDX-License-Identifier: Apache-2.0
// The sum or difference of two floats (binary32 with subnormals, to nearest even), for kernel pipelines: half the room
// of rtl/lane/float_unit.v, whose frame holds a product as well; results are the same bit for bit. One a cycle; LATENCY is 6
// cycles.
`default_nettype none

module float_add #(
    parameter SUBTRACT = 0  // 1: a - b
) (
    input wire clk,
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    output reg [31:0] y_o
);
  localparam LATENCY = 6;

  // ---- The larger magnitude is "big": then the sum is not negative, and big is a NaN if one of the two is.
  wire b_sign = b_i[31] ^ (SUBTRACT != 0);
  wire swap = a_i[30:0] < b_i[30:0];
  reg s1_sign, s1_subtract;
  reg [30:0] s1_big, s1_small;
  always @(posedge clk) begin
    s1_big <= swap ? b_i[30:0] : a_i[30:0];
    s1_small <= swap ? a_i[30:0] : b_i[30:0];
    s1_sign <= swap ? b_sign : a_i[31];
    s1_subtract <= a_i[31] ^ b_sign;
  end

  // ---- The smaller moves to its place; two bits below the larger's are kept, and whether any is lost. A subnormal's
  // exponent is 1.
  wire big_tiny = s1_big[30:23] == 8'd0, small_tiny = s1_small[30:23] == 8'd0;
  wire [7:0] exponent = {s1_big[30:24], s1_big[23] || big_tiny};
  wire [7:0] distance = exponent - {s1_small[30:24], s1_small[23] || small_tiny};
  wire [25:0] place_0 = {!small_tiny, s1_small[22:0], 2'd0};
  wire [25:0] place_1 = distance[0] ? place_0 >> 1 : place_0;
  wire [25:0] place_3 = distance[1] ? place_1 >> 2 : place_1;
  wire [25:0] place_7 = distance[2] ? place_3 >> 4 : place_3;
  wire [25:0] place_15 = distance[3] ? place_7 >> 8 : place_7;
  wire [25:0] place = distance[7:5] != 3'd0 ? 26'd0 : distance[4] ? place_15 >> 16 : place_15;
  wire lost_by_3 = distance[1] && place_1[1:0] != 2'd0;
  wire lost_by_15 = (distance[2] && place_3[3:0] != 4'd0) || (distance[3] && place_7[7:0] != 8'd0);
  wire lost_by_more = (distance[4] && place_15[15:0] != 16'd0) || (distance[7:5] != 3'd0 && place_15 != 26'd0);
  wire lost = lost_by_3 || lost_by_15 || lost_by_more;
  reg s2_sign, s2_subtract, s2_huge, s2_nan;
  reg [ 7:0] s2_exponent;
  reg [23:0] s2_big;
  reg [26:0] s2_small;
  always @(posedge clk) begin
    {s2_sign, s2_subtract, s2_exponent} <= {s1_sign, s1_subtract, exponent};
    s2_big <= {!big_tiny, s1_big[22:0]};
    s2_small <= {place, lost} ^ {27{s1_subtract}};
    s2_huge <= s1_big[30:23] == 8'd255;
    s2_nan <= s1_big[22:0] != 23'd0 || (s1_small[30:23] == 8'd255 && s1_subtract);
  end

  // ---- The sum.
  reg s3_sign, s3_subtract, s3_huge, s3_nan;
  reg [ 7:0] s3_exponent;
  reg [27:0] s3_sum;
  always @(posedge clk) begin
    {s3_sign, s3_subtract, s3_huge, s3_nan, s3_exponent} <= {s2_sign, s2_subtract, s2_huge, s2_nan, s2_exponent};
    s3_sum <= {1'b0, s2_big, 3'd0} + {s2_subtract, s2_small} + {27'd0, s2_subtract};
  end

  // ---- How far it moves up: by its leading zeros, but no further than the exponent allows.
  reg [4:0] zeros;
  reg [2:0] nibble;  // without its lowest bit, which does not matter
  always @* begin
    if (s3_sum[27:24] != 4'd0) {zeros[4:2], nibble} = {3'd0, s3_sum[27:25]};
    else if (s3_sum[23:20] != 4'd0) {zeros[4:2], nibble} = {3'd1, s3_sum[23:21]};
    else if (s3_sum[19:16] != 4'd0) {zeros[4:2], nibble} = {3'd2, s3_sum[19:17]};
    else if (s3_sum[15:12] != 4'd0) {zeros[4:2], nibble} = {3'd3, s3_sum[15:13]};
    else if (s3_sum[11:8] != 4'd0) {zeros[4:2], nibble} = {3'd4, s3_sum[11:9]};
    else if (s3_sum[7:4] != 4'd0) {zeros[4:2], nibble} = {3'd5, s3_sum[7:5]};
    else {zeros[4:2], nibble} = {3'd6, s3_sum[3:1]};
    zeros[1:0] = nibble[2] ? 2'd0 : nibble[1] ? 2'd1 : nibble[0] ? 2'd2 : 2'd3;
  end
  reg s4_sign, s4_huge, s4_nan, s4_zero;
  reg [ 7:0] s4_exponent;
  reg [ 4:0] s4_shift;
  reg [27:0] s4_sum;
  always @(posedge clk) begin
    {s4_huge, s4_nan, s4_exponent, s4_sum} <= {s3_huge, s3_nan, s3_exponent, s3_sum};
    s4_shift <= {3'd0, zeros} > s3_exponent ? s3_exponent[4:0] : zeros;
    s4_zero <= s3_sum == 28'd0;
    s4_sign <= s3_sign && !(s3_subtract && s3_sum == 28'd0);
  end

  // ---- The leading one of a normal number makes up for the exponent less one.
  wire [27:0] up = s4_sum << s4_shift;
  wire huge = s4_huge || (s4_exponent == 8'd254 && s4_shift == 5'd0);
  reg s5_sign, s5_guard, s5_low;
  reg [ 7:0] s5_exponent;
  reg [23:0] s5_mantissa;
  always @(posedge clk) begin
    s5_sign <= s4_sign;
    s5_exponent <= s4_exponent - {3'd0, s4_shift};
    {s5_mantissa, s5_guard} <= up[27:3];
    s5_low <= up[2:0] != 3'd0;
    if (s4_zero) s5_exponent <= 8'd0;
    if (huge) begin
      {s5_exponent, s5_guard} <= {8'd254, 1'b0};
      s5_mantissa <= {1'b1, s4_huge && s4_nan, 22'd0};
      if (s4_huge && s4_nan) s5_sign <= 1'b0;
    end
  end

  // ---- To nearest even. A carry goes on into the exponent.
  wire increment = s5_guard && (s5_low || s5_mantissa[0]);
  always @(posedge clk) y_o <= {s5_sign, {s5_exponent, 23'd0} + {7'd0, s5_mantissa} + {30'd0, increment}};
  wire unused = &{1'b0, LATENCY[0]};
endmodule

`default_nettype wire
