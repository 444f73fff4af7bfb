// SPDX-License-Identifier: Apache-2.0
// Takes a binary32 apart: the mantissa with its leading one in place, also of a subnormal, the exponent to match, and
// what kind of number it is. 2 cycles, one number a cycle.
`default_nettype none

module float_normal (
    input  wire        clk,
    input  wire [31:0] a_i,
    output reg  [23:0] mantissa_o,  // bit 23 is 1, unless a_i is zero
    output reg  [ 9:0] exponent_o,  // biased, as two's complement: -22 to 255
    output reg         sign_o,
    output reg         zero_o,
    output reg         infinite_o,
    output reg         nan_o
);
  reg [31:0] a;
  reg [4:0] zeros, zeros_1;  // in front of the mantissa's leading one
  integer i;
  always @* begin
    zeros = 5'd0;
    for (i = 0; i < 23; i = i + 1) if (a_i[i]) zeros = 5'd23 - i[4:0];
    if (a_i[30:23] != 8'd0) zeros = 5'd0;
  end
  always @(posedge clk) begin
    {a, zeros_1} <= {a_i, zeros};
    mantissa_o <= {a[30:23] != 8'd0, a[22:0]} << zeros_1;
    exponent_o <= {2'd0, a[30:24], a[23] || a[30:23] == 8'd0} - {5'd0, zeros_1};
    sign_o <= a[31];
    zero_o <= a[30:0] == 31'd0;
    infinite_o <= a[30:0] == 31'h7F800000;
    nan_o <= a[30:0] > 31'h7F800000;
  end
endmodule

`default_nettype wire
