// SPDX-License-Identifier: Apache-2.0
// 24 x 24 bits in pieces that fit 18 x 18 multipliers. One product a cycle, 2 cycles later. A register stands between
// the two sums: of three summands Yosys makes an adder that takes half as much again.
`default_nettype none

module mantissa_product (
    input  wire        clk,
    input  wire [23:0] x_i,
    input  wire [23:0] y_i,
    output reg  [47:0] product_o
);
  wire [23:0] left = {6'd0, x_i[17:0]} * {18'd0, y_i[23:18]};
  wire [23:0] right = {18'd0, x_i[23:18]} * {6'd0, y_i[17:0]};
  reg  [35:0] low;
  reg  [24:0] middle;
  reg  [11:0] high;
  always @(posedge clk) begin
    low <= {18'd0, x_i[17:0]} * {18'd0, y_i[17:0]};
    middle <= {1'b0, left} + {1'b0, right};
    high <= {6'd0, x_i[23:18]} * {6'd0, y_i[23:18]};
    product_o <= {{high, low[35:18]} + {5'd0, middle}, low[17:0]};
  end
endmodule

`default_nettype wire
