// SPDX-License-Identifier: Apache-2.0
// Floating point of one lane: fused multiply-add (with it add, subtract, multiply) and conversions to and from
// integers, binary32 with subnormals, correctly rounded. One a cycle; operands at op, result after e6 (six registers
// on). The product of the mantissas comes from the lane's multiplier at e3. README.md says how the numbers lie.
`default_nettype none

module float_unit (
    input wire clk,

    // stage rd: some of what is said in op
    input wire rd_from_i,
    input wire rd_to_i,
    input wire rd_quotient_i,
    input wire rd_divide_i,    // a division or root, or its quotient
    input wire rd_root_i,      // not a division

    // stage op
    input wire op_active_i,  // else the result is 0
    input wire op_floats_i,  // a and b are floats: a * b + c
    input wire op_multiply_i,  // c is 0, of the product's sign
    input wire op_from_i,  // a is an integer, b is 1, c is 0
    input wire op_to_i,  // c becomes an integer; a and b are 0
    input wire op_signed_i,  // that integer is signed
    input wire op_quotient_i,  // a is a quotient or root, b is 1 and c its exponent and kind (divider.v)
    input wire op_divide_i,  // a and b are floats to divide, or b is 0 and a root is taken: only what they are matters
    input wire op_negate_product_i,
    input wire op_negate_addend_i,
    input wire [2:0] op_rounding_i,  // as in the rm field, 0 to 4
    input wire [7:0] op_a_exponent_i,  // of a when that is a float: it is known sooner
    input wire [31:0] op_a_i,
    input wire [31:0] op_b_i,
    input wire [31:0] op_c_i,
    input wire op_c_whole_i,  // of c when that is a float: its lowest 23 bits are 0

    // to and from the multiplier
    output reg  [31:0] multiplicand_o,  // stage e1
    output reg  [31:0] multiplier_o,
    input  wire [47:0] e3_product_i,

    // what a and b are, stage e1; for the divider also the exponent
    output wire a_tiny_o,  // zero or subnormal
    output wire b_tiny_o,
    output wire a_zero_o,
    output wire a_infinite_o,
    output wire a_nan_o,
    output wire b_zero_o,
    output wire b_infinite_o,
    output wire b_nan_o,
    output wire [9:0] exponent_o,

    // the result, stage e6: known_o where it is fixed, which rounding does not change and is else 0; or else rounded_o
    output wire [31:0] rounded_o,
    output wire        fixed_o,
    output wire [31:0] known_o
);
  localparam [2:0] NEAREST_EVEN = 3'd0, TO_ZERO = 3'd1, DOWN = 3'd2, UP = 3'd3, NEAREST_AWAY = 3'd4;

  // ---- op: unpack. Exponents less one; a subnormal's is that of the smallest normal number. A quotient's has nine
  // bits.
  wire op_a_tiny = op_a_exponent_i == 8'd0;  // zero or subnormal
  wire op_b_tiny = op_b_i[30:23] == 8'd0;
  wire op_c_tiny = op_c_i[30:23] == 8'd0;
  wire op_wide = op_quotient_i && op_c_i[31];
  // The frame's top bit is 27 above the product's units; for integers it is 2^73, and to_i moves 2^31 to bit 67. All
  // lanes have the same offset; it would have far to go, so each keeps its own.
  reg [10:0] op_offset;
  (* keep *) always @(posedge clk)
    op_offset <= rd_quotient_i ? -11'd511 : rd_divide_i ? (rd_root_i ? -11'd33 : -11'd83) :
                 rd_to_i ? 11'd164 : rd_from_i ? 11'd198 : -11'd101;
  wire [7:0] op_a_exponent = {op_a_exponent_i[7:1], op_a_exponent_i[0] || op_a_tiny} & {8{op_floats_i}};

  reg active, floats, multiply, from, to, is_signed, quotient, negate_product, negate_addend;
  reg a_tiny, a_whole, a_huge, b_tiny, b_whole, b_huge, c_tiny, c_whole, c_huge, a_sign, b_sign, c_sign;
  reg [ 2:0] rounding;
  reg [10:0] a_exponent;  // with the offset
  reg [ 7:0] b_exponent;
  reg [ 8:0] c_exponent;
  reg [22:0] c;
  always @(posedge clk) begin
    {active, floats, multiply, from, to} <= {op_active_i, op_floats_i, op_multiply_i, op_from_i, op_to_i};
    {is_signed, quotient, rounding} <= {op_signed_i, op_quotient_i, op_rounding_i};
    {negate_product, negate_addend} <= {op_negate_product_i, op_negate_addend_i};
    {a_sign, b_sign, c_sign, c} <= {op_a_i[31], op_b_i[31], op_c_i[31], op_c_i[22:0]};
    {a_tiny, b_tiny, c_tiny} <= {op_a_tiny, op_b_tiny, op_c_tiny};
    {a_whole, b_whole, c_whole} <= {op_a_i[22:0] == 23'd0, op_b_i[22:0] == 23'd0, op_c_whole_i};
    {a_huge, b_huge, c_huge} <= {op_a_i[30:23] == 8'd255, op_b_i[30:23] == 8'd255, op_c_i[30:23] == 8'd255};
    multiplicand_o <= op_floats_i ? {8'd0, !op_a_tiny, op_a_i[22:0]} : op_a_i;
    multiplier_o <= op_floats_i ? {8'd0, !op_b_tiny, op_b_i[22:0]} : op_b_i;
    a_exponent <= {3'd0, op_a_exponent} + op_offset;
    b_exponent <= {op_b_i[30:24], op_b_i[23] || op_b_tiny} ^ {8{op_divide_i}};
    c_exponent <= {op_wide, op_c_i[30:23]} + {9{!op_c_tiny || op_wide}};
  end

  // ---- e1: how far the addend moves and the exponent of the frame's top bit.
  assign {a_tiny_o, b_tiny_o} = {a_tiny, b_tiny};
  assign exponent_o = product_exponent[9:0];
  assign a_zero_o = a_tiny && a_whole;
  assign b_zero_o = b_tiny && b_whole;
  assign a_infinite_o = a_huge && a_whole;
  assign b_infinite_o = b_huge && b_whole;
  assign a_nan_o = a_huge && !a_whole;
  assign b_nan_o = b_huge && !b_whole;

  wire [10:0] product_exponent = a_exponent + {3'd0, b_exponent};
  wire [10:0] distance = product_exponent - {2'd0, c_exponent};
  wire addend_on_top = distance[10] || (floats && (a_zero_o || b_zero_o));
  wire product_sign = floats && (a_sign ^ b_sign ^ negate_product);
  wire addend_sign = multiply ? product_sign : from ? is_signed && a_sign : quotient ? c[22] : c_sign ^ negate_addend;

  reg e2_active, e2_from, e2_to, e2_signed, e2_product_sign, e2_sign, e2_subtract;
  reg e2_nan, e2_product_infinite, e2_addend_infinite, e2_zero;
  reg [ 2:0] e2_rounding;
  reg [23:0] e2_c;
  reg [ 6:0] e2_distance;
  reg [ 8:0] e2_exponent;
  always @(posedge clk) begin
    {e2_active, e2_from, e2_to, e2_signed, e2_rounding} <= {active, from, to, is_signed, rounding};
    e2_product_sign <= product_sign;
    e2_sign <= addend_sign;
    e2_subtract <= !quotient && (product_sign ^ addend_sign);
    e2_nan <= quotient ? c[21] :
              (c_huge && !c_whole) ||
              (floats && (a_nan_o || b_nan_o || (a_infinite_o && b_zero_o) || (a_zero_o && b_infinite_o)));
    e2_zero <= quotient && c[19];
    e2_product_infinite <= floats && (a_infinite_o || b_infinite_o);
    e2_addend_infinite <= quotient ? c[20] : c_huge && c_whole;
    e2_c <= quotient ? 24'd0 : {!c_tiny, c};
    e2_distance <= addend_on_top ? 7'd0 : distance[9:7] != 3'd0 ? 7'd127 : distance[6:0];
    e2_exponent <= addend_on_top ? c_exponent : product_exponent[8:0];
  end

  // ---- e2: the addend moves to its place in the frame; results that are no sums.
  wire [26:0] e2_c_3 = {e2_c, 3'd0} >> e2_distance[1:0];
  wire [38:0] e2_c_15 = {e2_c_3, 12'd0} >> {e2_distance[3:2], 2'd0};
  wire [4:0] e2_block = e2_distance[6:4] > 3'd4 ? 5'd0 : 5'd1 << e2_distance[6:4];  // of 16 bits, from the top
  wire [15:0] e2_c_last = {e2_c_15[6:0], 9'd0};
  wire [79:0] e2_frame = {
    e2_c_15[38:23] & {16{e2_block[0]}},
    (e2_c_15[38:23] & {16{e2_block[1]}}) | (e2_c_15[22:7] & {16{e2_block[0]}}),
    (e2_c_15[38:23] & {16{e2_block[2]}}) | (e2_c_15[22:7] & {16{e2_block[1]}}) | (e2_c_last & {16{e2_block[0]}}),
    (e2_c_15[38:23] & {16{e2_block[3]}}) | (e2_c_15[22:7] & {16{e2_block[2]}}) | (e2_c_last & {16{e2_block[1]}}),
    (e2_c_15[38:23] & {16{e2_block[4]}}) | (e2_c_15[22:7] & {16{e2_block[3]}}) | (e2_c_last & {16{e2_block[2]}})
  };
  wire e2_low_7 = e2_c_15[6:0] != 7'd0;
  wire e2_low_23 = e2_low_7 || e2_c_15[22:7] != 16'd0;
  wire e2_below = e2_frame[3:0] != 4'd0 || (e2_block[3] && e2_low_7) || (e2_block[4] && e2_low_23) ||
                  (e2_distance[6:4] > 3'd4 && e2_c != 24'd0);

  // An integer's magnitude is too large when its exponent is: 2^31 lies at distance 8.
  wire e2_out_of_range = e2_distance[6:3] == 4'd0 || (e2_signed && e2_distance == 7'd8);
  wire e2_wrong_sign = !e2_signed && e2_sign && !e2_nan;
  wire e2_is_nan = e2_nan || (e2_product_infinite && e2_addend_infinite && e2_subtract);
  wire e2_infinite = e2_product_infinite || e2_addend_infinite;
  wire e2_to_negative = e2_sign && !e2_nan;
  reg e3_special, e3_special_sign, e3_special_high, e3_special_22, e3_special_low;
  reg e3_from, e3_to, e3_sign, e3_subtract, e3_below;
  reg [ 2:0] e3_rounding;
  reg [ 8:0] e3_exponent;
  reg [75:0] e3_c;
  always @(posedge clk) begin
    {e3_from, e3_to, e3_rounding} <= {e2_from, e2_to, e2_rounding};
    {e3_sign, e3_subtract} <= {e2_sign, e2_subtract};
    e3_exponent <= e2_exponent;
    e3_c <= e2_frame[79:4];
    e3_below <= e2_below;
    e3_special <= !e2_active ||
                  (e2_to ? e2_nan || e2_out_of_range || e2_wrong_sign : e2_is_nan || e2_infinite || e2_zero);
    if (!e2_active) {e3_special_sign, e3_special_high, e3_special_22, e3_special_low} <= 4'b0000;
    else if (e2_to) begin
      e3_special_sign <= e2_signed ? e2_to_negative : !e2_to_negative;
      {e3_special_high, e3_special_22, e3_special_low} <= {3{!e2_to_negative}};
    end else begin
      e3_special_sign <= !e2_is_nan && (e2_product_infinite ? e2_product_sign : e2_sign);
      {e3_special_high, e3_special_22, e3_special_low} <= {e2_is_nan || !e2_zero, e2_is_nan, 1'b0};
    end
  end

  // ---- e3: the sum, in two's complement: addend plus or minus product.
  wire [47:0] e3_product = e3_product_i ^ {48{e3_subtract}};
  wire e3_extend = e3_subtract && !e3_from;
  wire [76:0] e3_sum = {1'b0, e3_c} + {
    {27{e3_extend}}, e3_from ? 16'd0 : e3_product[47:32], e3_product[31:0], {2{e3_subtract}}
  } + {76'd0, e3_subtract};

  reg e4_special, e4_special_sign, e4_special_high, e4_special_22, e4_special_low;
  reg e4_to, e4_sign, e4_subtract, e4_below, e4_negative;
  reg [ 2:0] e4_rounding;
  reg [ 8:0] e4_exponent;
  reg [75:0] e4_sum;
  reg [ 3:0] e4_stop;  // where the exponent ends it, or an integer's place
  reg        e4_stop_last;
  always @(posedge clk) begin
    {e4_special, e4_special_sign, e4_special_high, e4_special_22, e4_special_low} <= {
      e3_special, e3_special_sign, e3_special_high, e3_special_22, e3_special_low
    };
    {e4_to, e4_rounding, e4_sign, e4_subtract} <= {e3_to, e3_rounding, e3_sign, e3_subtract};
    {e4_below, e4_exponent} <= {e3_below, e3_exponent};
    e4_sum <= e3_sum[75:0];
    e4_stop <= e3_to ? 4'b0100 :
               {e3_exponent[8:4] == 5'd0, e3_exponent[8:4] == 5'd1, e3_exponent[8:4] == 5'd2, e3_exponent[8:4] == 5'd3};
    e4_stop_last <= e3_exponent[8:4] == 5'd4;
    e4_negative <= e3_to ? e3_sign : e3_sum[76];
  end

  // ---- e4: normalise by blocks of 16, no further than the exponent allows.
  wire [79:0] e4_blocks = {e4_sum, 4'd0};
  wire [3:0] e4_found = {
    e4_blocks[79:64] != {16{e4_negative}},
    e4_blocks[63:48] != {16{e4_negative}},
    e4_blocks[47:32] != {16{e4_negative}},
    e4_blocks[31:16] != {16{e4_negative}}
  };
  wire e4_found_last = e4_blocks[15:4] != {12{e4_negative}};
  wire e4_at_0 = (e4_found[3] && !e4_to) || e4_stop[3];
  wire e4_at_1 = e4_found[2] || e4_stop[2];
  wire e4_at_2 = e4_found[1] || e4_stop[1];
  wire e4_at_3 = e4_found[0] || e4_stop[0];
  wire [2:0] e4_blocks_off = e4_at_0 ? 3'd0 : e4_at_1 ? 3'd1 : e4_at_2 ? 3'd2 : e4_at_3 ? 3'd3 : 3'd4;
  wire e4_limited = e4_at_0 ? e4_stop[3] : e4_at_1 ? e4_stop[2] :
                    e4_at_2 ? e4_stop[1] : e4_at_3 ? e4_stop[0] : e4_stop_last;
  reg [47:0] e4_window;
  always @* begin
    case (e4_blocks_off)
      3'd0: e4_window = e4_blocks[79:32];
      3'd1: e4_window = e4_blocks[63:16];
      3'd2: e4_window = e4_blocks[47:0];
      3'd3: e4_window = {e4_blocks[31:0], 16'd0};
      default: e4_window = {e4_blocks[15:0], 32'd0};
    endcase
  end
  wire e4_low = e4_below || (e4_blocks_off == 3'd0 && e4_blocks[31:16] != 16'd0) ||
                (e4_blocks_off[2:1] == 2'd0 && e4_blocks[15:0] != 16'd0);
  wire e4_zero = !e4_to && e4_found == 4'd0 && !e4_found_last;
  wire e4_result_sign = e4_zero ? (e4_subtract ? e4_rounding == DOWN : e4_sign) : e4_sign ^ e4_negative;

  reg e5_special, e5_special_sign, e5_special_high, e5_special_22, e5_special_low;
  reg e5_to, e5_sign, e5_low, e5_negative, e5_zero;
  reg [2:0] e5_rounding;
  reg [3:0] e5_stop_nibble, e5_stop_bit;  // where the exponent, or an integer's place, ends it; the nibble may be none
  reg [ 8:0] e5_exponent;  // before normalising
  reg [ 2:0] e5_blocks_off;
  reg [47:0] e5_window;
  always @(posedge clk) begin
    {e5_special, e5_special_sign, e5_special_high, e5_special_22, e5_special_low} <= {
      e4_special, e4_special_sign, e4_special_high, e4_special_22, e4_special_low
    };
    {e5_to, e5_rounding, e5_negative, e5_zero} <= {e4_to, e4_rounding, e4_negative, e4_zero};
    e5_sign <= e4_result_sign;
    e5_low <= e4_low;
    e5_stop_nibble <= e4_to ? 4'b1000 : e4_limited ? 4'b1000 >> e4_exponent[3:2] : 4'b0000;
    e5_stop_bit <= e4_to ? 4'b1000 : 4'b1000 >> e4_exponent[1:0];
    // An integer's upper byte travels in the exponent.
    e5_exponent <= e4_to ? {e4_blocks[71:64] ^ {8{e4_negative}}, 1'b0} : e4_exponent;
    e5_blocks_off <= e4_to ? 3'd0 : e4_blocks_off;
    e5_window <= e4_window;
  end

  // ---- e5: normalise the rest. Where that must end a one is put in.
  wire [15:0] e5_stop = {
    e5_stop_bit & {4{e5_stop_nibble[3]}},
    e5_stop_bit & {4{e5_stop_nibble[2]}},
    e5_stop_bit & {4{e5_stop_nibble[1]}},
    e5_stop_bit & {4{e5_stop_nibble[0]}}
  };
  wire [15:0] e5_top = (e5_window[47:32] ^ {16{e5_negative}}) | e5_stop;
  function [1:0] leading(input [2:0] nibble);  // its lowest bit does not matter
    leading = nibble[2] ? 2'd0 : nibble[1] ? 2'd1 : nibble[0] ? 2'd2 : 2'd3;
  endfunction
  reg [3:0] e5_shift;
  reg e5_lost;  // a one stands below what the first part of the shift keeps
  always @* begin
    e5_shift[3:2] = e5_top[15:12] != 4'd0 ? 2'd0 : e5_top[11:8] != 4'd0 ? 2'd1 : e5_top[7:4] != 4'd0 ? 2'd2 : 2'd3;
    case (e5_shift[3:2])
      2'd0: {e5_shift[1:0], e5_lost} = {leading(e5_top[15:13]), e5_window[19:0] != 20'd0};
      2'd1: {e5_shift[1:0], e5_lost} = {leading(e5_top[11:9]), e5_window[15:0] != 16'd0};
      2'd2: {e5_shift[1:0], e5_lost} = {leading(e5_top[7:5]), e5_window[11:0] != 12'd0};
      default: {e5_shift[1:0], e5_lost} = {leading(e5_top[3:1]), e5_window[7:0] != 8'd0};
    endcase
  end
  wire unused = &{1'b0, e5_top[0], e5_shifted_12[19:0]};
  wire [47:0] e5_shifted_12 = e5_window << {e5_shift[3:2], 2'd0};
  wire [27:0] e5_shifted_15 = e5_shifted_12[47:20] << e5_shift[1:0];

  reg e6_special, e6_special_sign, e6_special_high, e6_special_22, e6_special_low;
  reg e6_to, e6_sign, e6_low, e6_guard, e6_negative, e6_zero, e6_even, e6_away, e6_up;
  reg [ 8:0] e6_exponent;
  reg [23:0] e6_mantissa;
  always @(posedge clk) begin
    {e6_special, e6_special_sign, e6_special_high, e6_special_22, e6_special_low} <= {
      e5_special, e5_special_sign, e5_special_high, e5_special_22, e5_special_low
    };
    {e6_to, e6_sign, e6_negative, e6_zero} <= {e5_to, e5_sign, e5_negative, e5_zero};
    e6_exponent <= e5_exponent - {2'd0, e5_blocks_off, e5_shift};
    e6_mantissa <= e5_shifted_15[27:4];
    e6_guard <= e5_shifted_15[3];
    e6_low <= e5_low || e5_lost || e5_shifted_15[2:0] != 3'd0;
    // An integer is rounded in two's complement, a float by its magnitude.
    e6_even <= e5_rounding == NEAREST_EVEN;
    e6_away <= e5_rounding == NEAREST_AWAY && !(e5_to && e5_negative);
    e6_up <= e5_to ? e5_rounding == UP || (e5_rounding == TO_ZERO && e5_negative) :
             e5_sign ? e5_rounding == DOWN : e5_rounding == UP;
  end
  reg e6_near;
  always @(posedge clk) e6_near <= e5_rounding == NEAREST_EVEN || e5_rounding == NEAREST_AWAY;

  // ---- e6: negate, round, pack. The two's complement of the mantissa carries in when all below it is zero.
  wire [23:0] e6_magnitude = e6_mantissa ^ {24{e6_negative}};
  wire e6_half = e6_guard ^ (e6_negative && e6_low);
  wire e6_carry = e6_negative && !e6_guard && !e6_low;
  wire e6_increment = e6_carry || (e6_near && e6_half && (e6_low || e6_away || (e6_even && e6_magnitude[0]))) ||
                      (e6_up && (e6_half || e6_low));
  // The leading one of a normal number makes up for the exponent less one.
  wire [31:0] e6_rounded = {e6_exponent, 23'd0} + {8'd0, e6_magnitude} + {31'd0, e6_increment};
  // Rounding up gives infinity as it should; only the carry of the two's complement may have to become the largest
  // number.
  wire e6_overflow = !e6_to && (e6_exponent >= 9'd254 || (e6_exponent == 9'd253 && e6_mantissa == 24'd0 && e6_carry));
  wire e6_to_infinity = e6_near || e6_up;
  wire e6_fixed = e6_special || e6_zero || e6_overflow;
  wire e6_fixed_sign = e6_special ? e6_special_sign : e6_sign;
  wire e6_fixed_high = e6_special ? e6_special_high : !e6_zero;
  wire e6_fixed_23 = e6_special ? e6_special_high : !e6_zero && e6_to_infinity;
  wire e6_fixed_22 = e6_special ? e6_special_22 : !e6_zero && !e6_to_infinity;
  wire e6_fixed_low = e6_special ? e6_special_low : !e6_zero && !e6_to_infinity;
  assign fixed_o   = e6_fixed;
  assign known_o   = {32{e6_fixed}} & {e6_fixed_sign, {7{e6_fixed_high}}, e6_fixed_23, e6_fixed_22, {22{e6_fixed_low}}};
  assign rounded_o = {e6_to ? e6_rounded[31] : e6_sign, e6_rounded[30:0]};
endmodule

`default_nettype wire
