// SPDX-License-Identifier: Apache-2.0
// a * b + c, rounded once (binary32 with subnormals, to nearest even), for kernel pipelines: as rtl/lane/float.v does
// it, without what that has for conversions, quotients and other roundings; results are the same bit for bit. One a
// cycle; LATENCY is 7 cycles.
`default_nettype none

module float_fused (
    input wire clk,
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    input wire [31:0] c_i,
    output reg [31:0] y_o
);
  localparam LATENCY = 7;

  // ---- What the operands are. A subnormal's exponent is 1.
  wire a_tiny = a_i[30:23] == 8'd0, b_tiny = b_i[30:23] == 8'd0, c_tiny = c_i[30:23] == 8'd0;  // zero or subnormal
  reg [23:0] s1_x, s1_y, s1_c;
  reg [8:0] s1_product_exponent;  // the sum of two
  reg [7:0] s1_exponent;
  reg s1_a_tiny, s1_a_huge, s1_a_whole, s1_b_tiny, s1_b_huge, s1_b_whole, s1_c_huge, s1_c_whole;
  reg s1_product_sign, s1_sign;
  always @(posedge clk) begin
    {s1_x, s1_y, s1_c} <= {!a_tiny, a_i[22:0], !b_tiny, b_i[22:0], !c_tiny, c_i[22:0]};
    s1_product_exponent <= {1'b0, a_i[30:24], a_i[23] || a_tiny} + {1'b0, b_i[30:24], b_i[23] || b_tiny};
    s1_exponent <= {c_i[30:24], c_i[23] || c_tiny};
    {s1_a_tiny, s1_a_huge, s1_a_whole} <= {a_tiny, a_i[30:23] == 8'd255, a_i[22:0] == 23'd0};
    {s1_b_tiny, s1_b_huge, s1_b_whole} <= {b_tiny, b_i[30:23] == 8'd255, b_i[22:0] == 23'd0};
    {s1_c_huge, s1_c_whole} <= {c_i[30:23] == 8'd255, c_i[22:0] == 23'd0};
    {s1_product_sign, s1_sign} <= {a_i[31] ^ b_i[31], c_i[31]};
  end
  wire [47:0] s3_product;
  mantissa_product mantissa_product (
      .clk(clk),
      .x_i(s1_x),
      .y_i(s1_y),
      .product_o(s3_product)
  );

  // ---- How far the addend moves. The frame has 80 bits; its top bit is 31 above the product's units, so that the
  // offset of the distance is a multiple of 16. An addend that is above it stays on top.
  wire a_zero = s1_a_tiny && s1_a_whole, b_zero = s1_b_tiny && s1_b_whole;
  wire [9:0] distance = {1'b0, s1_product_exponent} - {2'd0, s1_exponent};  // and 96
  wire on_top = distance[9] || (distance[8:7] == 2'd0 && distance[6:5] != 2'd3) || a_zero || b_zero;
  reg s2_product_sign, s2_sign, s2_subtract, s2_nan, s2_product_infinite, s2_infinite, s2_far;
  reg [ 4:0] s2_block;  // of 16 bits, from the top
  reg [ 3:0] s2_near;
  reg [23:0] s2_c;
  reg [ 8:0] s2_exponent;  // of the frame's top bit
  always @(posedge clk) begin
    {s2_product_sign, s2_sign, s2_subtract} <= {s1_product_sign, s1_sign, s1_product_sign ^ s1_sign};
    s2_nan <= (s1_c_huge && !s1_c_whole) || (s1_a_huge && (!s1_a_whole || b_zero)) ||
              (s1_b_huge && (!s1_b_whole || a_zero));
    s2_product_infinite <= s1_a_huge || s1_b_huge;
    s2_infinite <= s1_c_huge;
    s2_block <= {
      !on_top && distance[8:4] == 5'd10,
      !on_top && distance[8:4] == 5'd9,
      !on_top && distance[8:4] == 5'd8,
      !on_top && distance[8:4] == 5'd7,
      on_top || distance[8:4] == 5'd6
    };
    s2_far <= !on_top && (distance[8] || (distance[7] && distance[6:4] > 3'd2));
    s2_near <= distance[3:0] & {4{!on_top}};
    s2_c <= s1_c;
    s2_exponent <= on_top ? {1'b0, s1_exponent} : {s1_product_exponent[8:5] - 4'd3, s1_product_exponent[4:0]};
  end

  // ---- The addend moves to its place in the frame.
  wire [26:0] c_3 = {s2_c, 3'd0} >> s2_near[1:0];
  wire [38:0] c_15 = {c_3, 12'd0} >> {s2_near[3:2], 2'd0};
  wire [47:0] c = {c_15, 9'd0};
  wire [79:0] frame = {
    c[47:32] & {16{s2_block[0]}},
    (c[47:32] & {16{s2_block[1]}}) | (c[31:16] & {16{s2_block[0]}}),
    (c[47:32] & {16{s2_block[2]}}) | (c[31:16] & {16{s2_block[1]}}) | (c[15:0] & {16{s2_block[0]}}),
    (c[47:32] & {16{s2_block[3]}}) | (c[31:16] & {16{s2_block[2]}}) | (c[15:0] & {16{s2_block[1]}}),
    (c[47:32] & {16{s2_block[4]}}) | (c[31:16] & {16{s2_block[3]}}) | (c[15:0] & {16{s2_block[2]}})
  };
  wire low_7 = c[15:9] != 7'd0, low_23 = c[31:16] != 16'd0;
  reg s3_sign, s3_subtract, s3_huge, s3_nan, s3_special_sign, s3_below;
  reg [ 8:0] s3_exponent;  // less one
  reg [79:0] s3_frame;
  always @(posedge clk) begin
    {s3_sign, s3_subtract} <= {s2_sign, s2_subtract};
    s3_huge <= s2_product_infinite || s2_infinite || s2_nan;
    s3_nan <= s2_nan || (s2_product_infinite && s2_infinite && s2_subtract);
    s3_special_sign <= s2_product_infinite ? s2_product_sign : s2_sign;
    s3_frame <= frame;
    s3_below <= (s2_block[3] && low_7) || (s2_block[4] && (low_7 || low_23)) || (s2_far && s2_c != 24'd0);
    s3_exponent <= s2_exponent - 9'd1;
  end

  // ---- The sum, in two's complement: addend plus or minus product.
  wire [49:0] product = {s3_product ^ {48{s3_subtract}}, {2{s3_subtract}}};
  wire [80:0] sum = {1'b0, s3_frame} + {{31{s3_subtract}}, product} + {80'd0, s3_subtract};
  reg s4_sign, s4_subtract, s4_huge, s4_nan, s4_special_sign, s4_below, s4_negative;
  reg [ 8:0] s4_exponent;
  reg [79:0] s4_sum;
  reg [ 4:0] s4_stop;  // the block where the exponent ends it
  always @(posedge clk) begin
    {s4_sign, s4_subtract, s4_below, s4_exponent} <= {s3_sign, s3_subtract, s3_below, s3_exponent};
    {s4_huge, s4_nan, s4_special_sign} <= {s3_huge, s3_nan, s3_special_sign};
    {s4_negative, s4_sum} <= sum;
    s4_stop <= s3_exponent[8:4] > 5'd4 ? 5'd0 : 5'b10000 >> s3_exponent[6:4];
  end

  // ---- It moves up by blocks of 16, no further than the exponent allows.
  wire [4:0] found = {
    s4_sum[79:64] != {16{s4_negative}},
    s4_sum[63:48] != {16{s4_negative}},
    s4_sum[47:32] != {16{s4_negative}},
    s4_sum[31:16] != {16{s4_negative}},
    s4_sum[15:0] != {16{s4_negative}}
  };
  wire at_0 = found[4] || s4_stop[4], at_1 = found[3] || s4_stop[3];
  wire at_2 = found[2] || s4_stop[2], at_3 = found[1] || s4_stop[1];
  wire [2:0] block = at_0 ? 3'd0 : at_1 ? 3'd1 : at_2 ? 3'd2 : at_3 ? 3'd3 : 3'd4;
  wire limited = at_0 ? s4_stop[4] : at_1 ? s4_stop[3] : at_2 ? s4_stop[2] : at_3 ? s4_stop[1] : s4_stop[0];
  wire any_7 = s4_sum[7:0] != 8'd0, any_23 = s4_sum[23:8] != 16'd0, any_39 = s4_sum[39:24] != 16'd0;
  reg [39:0] window;
  reg low;  // a one is below it
  always @* begin
    case (block)
      3'd0: {window, low} = {s4_sum[79:40], any_39 || any_23 || any_7};
      3'd1: {window, low} = {s4_sum[63:24], any_23 || any_7};
      3'd2: {window, low} = {s4_sum[47:8], any_7};
      default: {window, low} = {at_3 ? s4_sum[31:16] : s4_sum[15:0], s4_sum[15:0], 9'd0};
    endcase
  end
  reg s5_sign, s5_huge, s5_nan, s5_zero, s5_low, s5_negative;
  reg [3:0] s5_stop_nibble, s5_stop_bit;  // where the exponent ends it; the nibble may be none
  reg [ 8:0] s5_exponent;
  reg [ 2:0] s5_block;
  reg [39:0] s5_window;
  always @(posedge clk) begin
    {s5_huge, s5_nan, s5_negative, s5_exponent} <= {s4_huge, s4_nan, s4_negative, s4_exponent};
    s5_zero <= found == 5'd0;
    s5_sign <= s4_huge ? s4_special_sign && !s4_nan : found == 5'd0 ? s4_sign && !s4_subtract : s4_sign ^ s4_negative;
    s5_stop_nibble <= limited ? 4'b1000 >> s4_exponent[3:2] : 4'b0000;
    s5_stop_bit <= 4'b1000 >> s4_exponent[1:0];
    {s5_block, s5_window, s5_low} <= {block, window, low || s4_below};
    if (block == 3'd4) s5_window[23:0] <= 24'd0;
  end

  // ---- And the rest. Where that must end a one is put in.
  wire [15:0] stop = {
    s5_stop_bit & {4{s5_stop_nibble[3]}},
    s5_stop_bit & {4{s5_stop_nibble[2]}},
    s5_stop_bit & {4{s5_stop_nibble[1]}},
    s5_stop_bit & {4{s5_stop_nibble[0]}}
  };
  wire [15:0] top = (s5_window[39:24] ^ {16{s5_negative}}) | stop;
  reg [3:0] shift;
  reg [2:0] nibble;  // without its lowest bit, which does not matter
  always @* begin
    if (top[15:12] != 4'd0) {shift[3:2], nibble} = {2'd0, top[15:13]};
    else if (top[11:8] != 4'd0) {shift[3:2], nibble} = {2'd1, top[11:9]};
    else if (top[7:4] != 4'd0) {shift[3:2], nibble} = {2'd2, top[7:5]};
    else {shift[3:2], nibble} = {2'd3, top[3:1]};
    shift[1:0] = nibble[2] ? 2'd0 : nibble[1] ? 2'd1 : nibble[0] ? 2'd2 : 2'd3;
  end
  wire [39:0] up_12 = s5_window << {shift[3:2], 2'd0};
  wire [27:0] up = up_12[39:12] << shift[1:0];
  wire [ 8:0] exponent = s5_exponent - {2'd0, s5_block, shift};
  reg s6_sign, s6_huge, s6_nan, s6_guard, s6_low, s6_negative;
  reg [ 7:0] s6_exponent;
  reg [23:0] s6_mantissa;
  always @(posedge clk) begin
    {s6_sign, s6_nan, s6_negative} <= {s5_sign, s5_nan, s5_negative};
    s6_huge <= s5_huge || (!s5_zero && (exponent[8] || exponent[7:1] == 7'd127));
    s6_exponent <= exponent[7:0];
    s6_mantissa <= up[27:4] ^ {24{s5_negative}};
    s6_guard <= up[3];
    s6_low <= s5_low || up[2:0] != 3'd0 || up_12[11:0] != 12'd0;
    if (s5_zero) {s6_exponent, s6_mantissa, s6_guard, s6_negative} <= 34'd0;
  end

  // ---- To nearest even. The two's complement of the mantissa carries in when all below it is zero. The leading one of
  // a normal number makes up for the exponent less one; a carry goes on into the exponent.
  wire half = s6_guard ^ (s6_negative && s6_low);
  wire increment = (s6_negative && !s6_guard && !s6_low) || (half && (s6_low || s6_mantissa[0]));
  always @(posedge clk) begin
    y_o <= {s6_sign, {s6_exponent, 23'd0} + {7'd0, s6_mantissa} + {30'd0, increment}};
    if (s6_huge) y_o[30:0] <= {8'd255, s6_nan, 22'd0};
  end
  wire unused = &{1'b0, LATENCY[0], top[0]};
endmodule

`default_nettype wire
