// SPDX-License-Identifier: Apache-2.0
// 32 x 32 multiply, low or high half, each operand signed or unsigned: four registered 16 x 16 products (the DSP blocks'
// size), their sum, then the correction of the high half for negative operands. One a cycle, result in the third cycle
// (combinational from its registers).
`default_nettype none

module multiplier (
    input  wire        clk,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire        a_signed_i,
    input  wire        b_signed_i,
    input  wire        high_i,
    output wire [31:0] product_o,   // two cycles after the operands
    output wire [47:0] full_o       // the same, unsigned, for mantissas
);
  reg [31:0] low_low, low_high, high_low, high_high;
  reg [31:0] correction, correction_q;
  reg high, high_q;
  reg [63:0] product;

  always @(posedge clk) begin
    low_low <= a_i[15:0] * b_i[15:0];
    low_high <= a_i[15:0] * b_i[31:16];
    high_low <= a_i[31:16] * b_i[15:0];
    high_high <= a_i[31:16] * b_i[31:16];
    // A negative operand was taken 2^32 too large: the other operand comes off the high half.
    correction <= ((a_signed_i & a_i[31]) ? b_i : 32'd0) + ((b_signed_i & b_i[31]) ? a_i : 32'd0);
    high <= high_i;

    product <= {high_high, low_low} + {16'd0, low_high, 16'd0} + {16'd0, high_low, 16'd0};
    correction_q <= correction;
    high_q <= high;
  end

  assign full_o = product[47:0];
  assign product_o = high_q ? product[63:32] - correction_q : product[31:0];
endmodule

`default_nettype wire
