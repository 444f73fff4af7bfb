// SPDX-License-Identifier: Apache-2.0
// a * b + c, rounded once (binary32 with subnormals, to nearest even), for kernel pipelines: as rtl/lane/float_unit.v does
// it, without what that has for conversions, quotients and other roundings; results are the same bit for bit. One a
// cycle; LATENCY is 7 cycles.
`default_nettype none

module float_fused #(
    parameter MULTIPLIED_SHIFTS = 0  // 1: shifts by less than 16 are products by powers of two: four more DSP blocks
) (
    input wire clk,
    input wire [31:0] a_i,
    input wire [31:0] b_i,
    input wire [31:0] c_i,
    output reg [31:0] y_o
);
  localparam LATENCY = 7;
  genvar k;

  // ---- What the operands are. A subnormal's exponent is 1.
  wire a_tiny = a_i[30:23] == 8'd0, b_tiny = b_i[30:23] == 8'd0, c_tiny = c_i[30:23] == 8'd0;  // zero or subnormal
  reg [23:0] s1_x, s1_y, s1_c;
  reg [8:0] s1_product_exponent;  // the sum of two
  reg [7:0] s1_exponent;
  reg s1_a_tiny, s1_a_huge, s1_a_whole, s1_b_tiny, s1_b_huge, s1_b_whole, s1_c_tiny, s1_c_huge, s1_c_whole;
  reg s1_sign, s1_subtract;
  always @(posedge clk) begin
    {s1_x, s1_y, s1_c} <= {!a_tiny, a_i[22:0], !b_tiny, b_i[22:0], !c_tiny, c_i[22:0]};
    s1_product_exponent <= {1'b0, a_i[30:24], a_i[23] || a_tiny} + {1'b0, b_i[30:24], b_i[23] || b_tiny};
    s1_exponent <= {c_i[30:24], c_i[23] || c_tiny};
    {s1_a_tiny, s1_a_huge, s1_a_whole} <= {a_tiny, a_i[30:23] == 8'd255, a_i[22:0] == 23'd0};
    {s1_b_tiny, s1_b_huge, s1_b_whole} <= {b_tiny, b_i[30:23] == 8'd255, b_i[22:0] == 23'd0};
    {s1_c_tiny, s1_c_huge, s1_c_whole} <= {c_tiny, c_i[30:23] == 8'd255, c_i[22:0] == 23'd0};
    {s1_sign, s1_subtract} <= {a_i[31] ^ b_i[31], a_i[31] ^ b_i[31] ^ c_i[31]};
  end
  wire [47:0] s3_product;
  mantissa_product mantissa_product (
      .clk(clk),
      .x_i(s1_x),
      .y_i(s1_y),
      .product_o(s3_product)
  );

  // ---- How far the addend moves. The frame has 79 bits; its top bit is 30 above the product's units. An addend that is
  // above it stays on top.
  wire a_zero = s1_a_tiny && s1_a_whole, b_zero = s1_b_tiny && s1_b_whole;
  wire [9:0] distance = {1'b0, s1_product_exponent} + ~{2'd0, s1_exponent};  // less one, and 96
  wire on_top = distance[9] || (distance[8:7] == 2'd0 && distance[6:5] != 2'd3) || a_zero || b_zero;
  reg s2_sign, s2_subtract, s2_nan, s2_product_infinite, s2_infinite, s2_far;
  reg [ 4:0] s2_block;  // of 16 bits, from the top
  reg [ 8:0] s2_down;
  reg [23:0] s2_c;
  reg [ 7:0] s2_exponent;
  always @(posedge clk) begin
    {s2_sign, s2_subtract} <= {s1_sign, s1_subtract};
    s2_nan <= (s1_c_huge && !s1_c_whole) || (s1_a_huge && (!s1_a_whole || b_zero)) ||
              (s1_b_huge && (!s1_b_whole || a_zero));
    s2_product_infinite <= s1_a_huge || s1_b_huge;
    s2_infinite <= s1_c_huge;
    {s2_c, s2_exponent} <= {s1_c, s1_exponent};
    s2_block <= {
      distance[8:4] == 5'd10, distance[8:4] == 5'd9, distance[8:4] == 5'd8, distance[8:4] == 5'd7, distance[8:4] == 5'd6
    };
    s2_far <= (distance[8] || (distance[7] && distance[6:4] > 3'd2)) && !(s1_c_tiny && s1_c_whole);
    s2_down <= {distance[8:5] - 4'd3, distance[4:0]};
    if (on_top) {s2_block, s2_far, s2_down} <= {5'd1, 1'b0, 9'd0};
  end

  // ---- The addend moves to its place in the frame. Registers that are reset choose the block: with flip-flops to spare
  // a choice takes no LUT but that which joins them.
  wire [38:0] c;
  generate
    if (MULTIPLIED_SHIFTS) begin : c_multiplied
      reg [15:0] power;
      always @(posedge clk) begin
        power <= 16'h8000 >> distance[3:0];
        if (on_top) power <= 16'h8000;
      end
      wire [32:0] low = {15'd0, s2_c[17:0]} * {17'd0, power};
      wire [20:0] high = {15'd0, s2_c[23:18]} * {5'd0, power};
      assign c = {high[20:15], high[14:0] | low[32:18], low[17:0]};
    end else begin : c_shifted
      wire [26:0] c_3 = {s2_c, 3'd0} >> s2_down[1:0];
      assign c = {c_3, 12'd0} >> {s2_down[3:2], 2'd0};
    end
  endgenerate
  reg [15:0] s3_first[0:4], s3_second[1:4];
  reg [6:0] s3_third[2:4];
  generate
    for (k = 0; k < 5; k = k + 1) begin : place
      always @(posedge clk) begin
        s3_first[k] <= c[38:23];
        if (!s2_block[k]) s3_first[k] <= 16'd0;
      end
      if (k >= 1) begin : one_down
        always @(posedge clk) begin
          s3_second[k] <= c[22:7];
          if (!s2_block[k-1]) s3_second[k] <= 16'd0;
        end
      end
      if (k >= 2) begin : two_down
        always @(posedge clk) begin
          s3_third[k] <= c[6:0];
          if (!s2_block[k-2]) s3_third[k] <= 7'd0;
        end
      end
    end
  endgenerate
  reg [3:0] s3_lost_16;  // any of four bits that are below the frame
  reg [1:0] s3_lost_7;
  reg s3_lost_1, s3_far;
  always @(posedge clk) begin
    s3_lost_16 <= {c[22:19] != 4'd0, c[18:15] != 4'd0, c[14:11] != 4'd0, c[10:7] != 4'd0};
    if (!s2_block[4]) s3_lost_16 <= 4'd0;
    s3_lost_7 <= {c[6:4] != 3'd0, c[3:0] != 4'd0};
    if (!s2_block[4] && !s2_block[3]) s3_lost_7 <= 2'd0;
    s3_lost_1 <= (s2_block[4] && c[23]) || (s2_block[3] && c[7]);
    s3_far <= s2_far;
  end
  wire below = s3_lost_16 != 4'd0 || s3_lost_7 != 2'd0 || s3_lost_1 || s3_far;
  reg s3_sign, s3_subtract, s3_huge, s3_nan, s3_special_sign;
  reg [8:0] s3_exponent;  // of what is one above the frame's top, less one
  always @(posedge clk) begin
    {s3_sign, s3_subtract} <= {s2_sign, s2_subtract};
    s3_huge <= s2_product_infinite || s2_infinite || s2_nan;
    s3_nan <= s2_nan || (s2_product_infinite && s2_infinite && s2_subtract);
    s3_special_sign <= s2_product_infinite ? s2_sign : s2_sign ^ s2_subtract;
    s3_exponent <= {1'b0, s2_exponent} + s2_down;
  end

  // ---- The sum, in two's complement: product plus or minus addend.
  wire [79:0] frame = {
    s3_first[0],
    s3_first[1] | s3_second[1],
    s3_first[2] | s3_second[2] | {s3_third[2], 9'd0},
    s3_first[3] | s3_second[3] | {s3_third[3], 9'd0},
    s3_first[4] | s3_second[4] | {s3_third[4], 9'd0}
  };
  wire [79:0] addend = {s3_subtract, frame[79:1] ^ {79{s3_subtract}}};
  wire [79:0] sum = addend + {30'd0, s3_product, 2'd0} + {79'd0, s3_subtract && !below};
  reg s4_sign, s4_subtract, s4_huge, s4_nan, s4_special_sign, s4_below;
  reg [ 8:0] s4_exponent;
  reg [79:0] s4_sum;
  reg [ 4:0] s4_stop;  // the block where the exponent ends it
  reg [3:0] s4_stop_nibble, s4_stop_bit;
  always @(posedge clk) begin
    {s4_sign, s4_subtract, s4_below, s4_exponent} <= {s3_sign, s3_subtract, below, s3_exponent};
    {s4_huge, s4_nan, s4_special_sign} <= {s3_huge, s3_nan, s3_special_sign};
    s4_sum <= sum;
    s4_stop <= s3_exponent[8:4] > 5'd4 ? 5'd0 : 5'b10000 >> s3_exponent[6:4];
    s4_stop_nibble <= 4'b1000 >> s3_exponent[3:2];
    s4_stop_bit <= 4'b1000 >> s3_exponent[1:0];
  end

  // ---- It moves up by blocks of 16, no further than the exponent allows.
  wire negative = s4_sum[79];
  wire [4:0] found = {
    s4_sum[78:64] != {15{negative}},
    s4_sum[63:48] != {16{negative}},
    s4_sum[47:32] != {16{negative}},
    s4_sum[31:16] != {16{negative}},
    s4_sum[15:0] != {16{negative}}
  };
  wire at_0 = found[4] || s4_stop[4], at_1 = found[3] || s4_stop[3];
  wire at_2 = found[2] || s4_stop[2], at_3 = found[1] || s4_stop[1];
  wire [2:0] block = at_0 ? 3'd0 : at_1 ? 3'd1 : at_2 ? 3'd2 : at_3 ? 3'd3 : 3'd4;
  wire limited = at_0 ? s4_stop[4] : at_1 ? s4_stop[3] : at_2 ? s4_stop[2] : at_3 ? s4_stop[1] : s4_stop[0];
  wire [4:1] chosen = {at_0, !at_0 && at_1, !at_0 && !at_1 && at_2, !at_0 && !at_1 && !at_2 && at_3};
  reg s5_sign, s5_huge, s5_nan, s5_zero, s5_below, s5_negative;
  reg [3:0] s5_stop_nibble, s5_stop_bit;  // where the exponent ends it; the nibble may be none
  reg [ 8:0] s5_exponent;
  reg [ 2:0] s5_block;
  reg [15:0] s5_top;
  reg [23:0] s5_0, s5_1, s5_2;  // what comes below it, from the block that is chosen
  reg [15:0] s5_3;
  reg [ 9:0] s5_any;  // any of four bits that are below that
  always @(posedge clk) begin
    {s5_huge, s5_nan, s5_negative, s5_exponent} <= {s4_huge, s4_nan, negative, s4_exponent};
    s5_zero <= found == 5'd0;
    s5_sign <= s4_huge ? s4_special_sign && !s4_nan : found == 5'd0 ? s4_sign && !s4_subtract : s4_sign ^ negative;
    {s5_stop_nibble, s5_stop_bit} <= {s4_stop_nibble, s4_stop_bit};
    if (!limited) s5_stop_nibble <= 4'd0;
    {s5_block, s5_below} <= {block, s4_below};
    case (block)
      3'd0: s5_top <= s4_sum[79:64];
      3'd1: s5_top <= s4_sum[63:48];
      3'd2: s5_top <= s4_sum[47:32];
      default: s5_top <= at_3 ? s4_sum[31:16] : s4_sum[15:0];
    endcase
    s5_0 <= s4_sum[63:40];
    s5_any[9:6] <= {s4_sum[39:36] != 4'd0, s4_sum[35:32] != 4'd0, s4_sum[31:28] != 4'd0, s4_sum[27:24] != 4'd0};
    if (!chosen[4]) {s5_0, s5_any[9:6]} <= 28'd0;
    s5_1 <= s4_sum[47:24];
    if (!chosen[3]) s5_1 <= 24'd0;
    s5_any[5:2] <= {s4_sum[23:20] != 4'd0, s4_sum[19:16] != 4'd0, s4_sum[15:12] != 4'd0, s4_sum[11:8] != 4'd0};
    if (!chosen[4] && !chosen[3]) s5_any[5:2] <= 4'd0;
    s5_2 <= s4_sum[31:8];
    if (!chosen[2]) s5_2 <= 24'd0;
    s5_any[1:0] <= {s4_sum[7:4] != 4'd0, s4_sum[3:0] != 4'd0};
    if (!chosen[4] && !chosen[3] && !chosen[2]) s5_any[1:0] <= 2'd0;
    s5_3 <= s4_sum[15:0];
    if (!chosen[1]) s5_3 <= 16'd0;
  end
  wire [39:0] window = {s5_top, s5_0 | s5_1 | s5_2 | {s5_3, 8'd0}};

  // ---- And the rest. Where that must end a one is put in.
  wire [15:0] stop = {
    s5_stop_bit & {4{s5_stop_nibble[3]}},
    s5_stop_bit & {4{s5_stop_nibble[2]}},
    s5_stop_bit & {4{s5_stop_nibble[1]}},
    s5_stop_bit & {4{s5_stop_nibble[0]}}
  };
  wire [15:0] top = (s5_top ^ {16{s5_negative}}) | stop;
  reg [3:0] shift;
  reg [2:0] nibble;  // without its lowest bit, which does not matter
  always @* begin
    if (top[15:12] != 4'd0) {shift[3:2], nibble} = {2'd0, top[15:13]};
    else if (top[11:8] != 4'd0) {shift[3:2], nibble} = {2'd1, top[11:9]};
    else if (top[7:4] != 4'd0) {shift[3:2], nibble} = {2'd2, top[7:5]};
    else {shift[3:2], nibble} = {2'd3, top[3:1]};
    shift[1:0] = nibble[2] ? 2'd0 : nibble[1] ? 2'd1 : nibble[0] ? 2'd2 : 2'd3;
  end
  wire [8:0] exponent = s5_exponent - {2'd0, s5_block, shift};
  reg s6_sign, s6_huge, s6_nan, s6_low, s6_negative;
  reg [7:0] s6_exponent;
  always @(posedge clk) begin
    {s6_sign, s6_nan, s6_negative} <= {s5_sign, s5_nan, s5_negative};
    s6_low <= s5_below || s5_any != 10'd0;
    s6_huge <= s5_huge || (!s5_zero && (exponent[8] || exponent[7:1] == 7'd127));
    s6_exponent <= exponent[7:0];
    if (s5_zero) {s6_exponent, s6_negative} <= 9'd0;
  end
  wire [23:0] mantissa;
  wire guard, low_of_window;
  generate
    if (MULTIPLIED_SHIFTS) begin : multiplied
      // The leading one of the first nibble that has any.
      wire [ 3:0] any = {top[15:12] != 4'd0, top[11:8] != 4'd0, top[7:4] != 4'd0, 1'b1};
      wire [15:0] power;
      for (k = 0; k < 4; k = k + 1) begin : of_nibble
        wire [3:1] bits = top[15-4*k-:3];
        assign power[4*k+:4] = {bits == 3'd0, bits == 3'd1, bits[3:2] == 2'd1, bits[3]} &
                               {4{any[3-k] && (any >> (4 - k)) == 4'd0}};
      end
      wire [24:0] up;
      multiplied_shift multiplied_shift (
          .clk(clk),
          .window_i(window),
          .power_i(power),
          .up_o(up),
          .low_o(low_of_window)
      );
      assign mantissa = up[24:1] ^ {24{s6_negative}};
      assign guard = up[0];
    end else begin : shifted
      wire [39:0] up_12 = window << {shift[3:2], 2'd0};
      wire [27:0] up = up_12[39:12] << shift[1:0];
      reg  [23:0] s6_mantissa;
      reg s6_guard, s6_low_of_window;
      always @(posedge clk) begin
        s6_mantissa <= up[27:4] ^ {24{s5_negative}};
        s6_guard <= up[3];
        s6_low_of_window <= up[2:0] != 3'd0 || up_12[11:0] != 12'd0;
        if (s5_zero) {s6_mantissa, s6_guard} <= 25'd0;
      end
      assign {mantissa, guard, low_of_window} = {s6_mantissa, s6_guard, s6_low_of_window};
    end
  endgenerate

  // ---- To nearest even. The two's complement of the mantissa carries in when all below it is zero. The leading one of
  // a normal number makes up for the exponent less one; a carry goes on into the exponent.
  wire any_low = s6_low || low_of_window;
  wire half = guard ^ (s6_negative && any_low);
  wire increment = (s6_negative && !guard && !any_low) || (half && (any_low || mantissa[0]));
  always @(posedge clk) begin
    y_o <= {s6_sign, {s6_exponent, 23'd0} + {7'd0, mantissa} + {30'd0, increment}};
    if (s6_huge) y_o[30:0] <= {8'd255, s6_nan, 22'd0};
  end
  wire unused = &{1'b0, LATENCY[0], top[0], frame[0]};
endmodule

`default_nettype wire
