// SPDX-License-Identifier: Apache-2.0
// 32 x 32 multiply, low or high half, each operand signed or unsigned: four registered products of halves (the DSP
// blocks' size with a bit for the sign), then their sum. One a cycle, result in the third cycle (combinational from its
// registers).
`default_nettype none

module multiplier (
    input  wire        clk,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire        a_negative_i,
    input  wire        b_negative_i,
    input  wire        high_i,
    output wire [31:0] product_o,     // two cycles after the operands
    output wire [47:0] full_o         // the same, for mantissas
);
  // The upper halves carry the sign; a lower half is never negative.
  wire signed [16:0] a_high = {a_negative_i, a_i[31:16]};
  wire signed [16:0] b_high = {b_negative_i, b_i[31:16]};
  wire signed [16:0] a_low = {1'b0, a_i[15:0]};
  wire signed [16:0] b_low = {1'b0, b_i[15:0]};
  reg signed [32:0] low_high, high_low;
  reg signed [31:0] high_high;
  reg [31:0] low_low;
  reg high, high_q;
  reg [63:0] product;

  // Two carry chains are smaller than one for three operands.
  (* keep *) wire signed [33:0] middle = low_high + high_low;
  wire [47:0] upper = {high_high, low_low[31:16]} + {{14{middle[33]}}, middle};
  always @(posedge clk) begin
    low_low <= a_i[15:0] * b_i[15:0];
    low_high <= a_low * b_high;
    high_low <= a_high * b_low;
    high_high <= a_high * b_high;
    high <= high_i;

    product <= {upper, low_low[15:0]};
  end
  // Half of what a lane does hangs on it, and one would do for all lanes, so Yosys is told to keep each its own.
  (* keep *) always @(posedge clk) high_q <= high;

  assign full_o = product[47:0];
  assign product_o = high_q ? product[63:32] : product[31:0];
endmodule

`default_nettype wire
