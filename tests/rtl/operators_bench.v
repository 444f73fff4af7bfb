// SPDX-License-Identifier: Apache-2.0
// The operators of rtl/pipeline side by side: each takes operands in every cycle, but what takes lanes in turn. Words of 32 bits, the first lowest.
`default_nettype none

module operators_bench (
    input  wire             clk,
    input  wire [    255:0] a_i,            // 8 lanes
    input  wire [     31:0] b_i,
    input  wire [     31:0] c_i,
    input  wire             turn_i,         // of what takes lanes in turn: with operands
    output wire [40*32-1:0] float_o,        // 8 operations, each with 5 rounding modes, but sums
    output wire [ 2*32-1:0] apart_o,        // quotient and root, of floats
    output wire [ 2*32-1:0] multiplied_o,   // a * b, a * b + c, with shifts by multipliers
    output wire [ 6*32-1:0] integer_o,      // quotient and remainder, of 32 and of 8 bits; products of 32 and of 8 bits
    output wire [ 4*32-1:0] wide_o,         // low and high half of a product of 64 bits: a's first two lanes and {b, c}
    output wire [64*32-1:0] scan_o,         // 8 operations, 8 lanes each
    output wire [ 8*32-1:0] scan_narrow_o,  // minimum as int of 8 bits: 8 lanes
    output wire [ 8*32-1:0] float_scan_o,
    output wire [16*32-1:0] in_turn_o,      // 8 lanes of a * b + c, then of 1.5 - a
    output wire [40*32-1:0] delay_o         // by 1 to 40 cycles
);
  genvar i, r;
  generate
    for (i = 0; i < 8; i = i + 1) begin : operation
      for (r = 0; r < 5; r = r + 1) begin : rounding
        float_operator #(
            .OPERATION(i),
            .ROUNDING (i < 2 ? 0 : r)
        ) float_operator (
            .clk(clk),
            .a_i(a_i[31:0]),
            .b_i(b_i),
            .c_i(c_i),
            .y_o(float_o[(5*i+r)*32+:32])
        );
      end
      lane_scan #(
          .LANES(8),
          .LEVELS(3),
          .OPERATION(i)
      ) lane_scan (
          .clk(clk),
          .x_i(a_i),
          .y_o(scan_o[i*256+:256])
      );
    end
    for (i = 0; i < 40; i = i + 1) begin : cycles
      value_delay #(
          .WIDTH (32),
          .CYCLES(i + 1)
      ) value_delay (
          .clk(clk),
          .value_i(b_i),
          .value_o(delay_o[i*32+:32])
      );
    end
    for (i = 0; i < 2; i = i + 1) begin : rest
      wire [7:0] narrow;
      divide #(
          .WIDTH(32),
          .REMAINDER(i)
      ) divide (
          .clk(clk),
          .a_i(a_i[31:0]),
          .b_i(b_i),
          .y_o(integer_o[i*32+:32])
      );
      divide #(
          .WIDTH(8),
          .REMAINDER(i)
      ) divide_narrow (
          .clk(clk),
          .a_i(a_i[7:0]),
          .b_i(b_i[7:0]),
          .y_o(narrow)
      );
      assign integer_o[(2+i)*32+:32] = {24'd0, narrow};
    end
  endgenerate
  generate
    for (i = 0; i < 2; i = i + 1) begin : multiplied
      float_operator #(
          .OPERATION(2 + i),
          .MULTIPLIED_SHIFTS(1)
      ) float_operator (
          .clk(clk),
          .a_i(a_i[31:0]),
          .b_i(b_i),
          .c_i(c_i),
          .y_o(multiplied_o[i*32+:32])
      );
    end
  endgenerate
  float_divide float_divide (
      .clk(clk),
      .a_i(a_i[31:0]),
      .b_i(b_i),
      .y_o(apart_o[0+:32])
  );
  float_root float_root (
      .clk(clk),
      .a_i(a_i[31:0]),
      .y_o(apart_o[32+:32])
  );
  multiply #(
      .WIDTH(32)
  ) multiply (
      .clk(clk),
      .a_i(a_i[31:0]),
      .b_i(b_i),
      .y_o(integer_o[4*32+:32])
  );
  wire [7:0] product;
  multiply #(
      .WIDTH(8)
  ) multiply_narrow (
      .clk(clk),
      .a_i(a_i[7:0]),
      .b_i(b_i[7:0]),
      .y_o(product)
  );
  assign integer_o[5*32+:32] = {24'd0, product};
  generate
    for (i = 0; i < 2; i = i + 1) begin : half
      multiply_wide #(
          .WIDTH(64),
          .FIRST(64 * i)
      ) multiply_wide (
          .clk(clk),
          .a_i(a_i[63:0]),
          .b_i({b_i, c_i}),
          .y_o(wide_o[64*i+:64])
      );
    end
  endgenerate
  wire [63:0] narrow_x, narrow_y;
  generate
    for (i = 0; i < 8; i = i + 1) begin : narrow_lane
      assign narrow_x[i*8+:8] = a_i[i*32+:8];
      assign scan_narrow_o[i*32+:32] = {24'd0, narrow_y[i*8+:8]};
    end
  endgenerate
  lane_scan #(
      .LANES(8),
      .LEVELS(3),
      .OPERATION(1),
      .WIDTH(8)
  ) lane_scan_narrow (
      .clk(clk),
      .x_i(narrow_x),
      .y_o(narrow_y)
  );
  float_in_turn #(
      .LANES(8),
      .TURNS(4),
      .OPERATION(3),
      .ALIKE(3'b110)
  ) fused_in_turn (
      .clk(clk),
      .begin_i(turn_i),
      .a_i(a_i),
      .b_i({8{b_i}}),
      .c_i({8{c_i}}),
      .y_o(in_turn_o[0+:256])
  );
  // A number that stands still.
  float_in_turn #(
      .LANES(8),
      .TURNS(2),
      .OPERATION(1),
      .STEADY(3'b001)
  ) difference_in_turn (
      .clk(clk),
      .begin_i(turn_i),
      .a_i({8{32'h3FC00000}}),
      .b_i(a_i),
      .c_i(256'd0),
      .y_o(in_turn_o[256+:256])
  );
  float_scan #(
      .LANES (8),
      .LEVELS(3)
  ) float_scan (
      .clk(clk),
      .x_i(a_i),
      .y_o(float_scan_o)
  );
endmodule

`default_nettype wire
