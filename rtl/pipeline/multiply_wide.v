// SPDX-License-Identifier: Apache-2.0
// WIDTH bits of an unsigned product of 37 to 72 bits a factor, from bit FIRST on. One a cycle, 4 cycles.
`default_nettype none

module multiply_wide #(
    parameter WIDTH = 64,
    parameter FIRST = 0
) (
    input wire clk,
    input wire [WIDTH-1:0] a_i,
    input wire [WIDTH-1:0] b_i,
    output wire [WIDTH-1:0] y_o
);
  // Products of 18 x 18 bits; then rows, one for each digit of b; pairs of rows; their sum. Who is not wanted goes in
  // synthesis.
  localparam DIGITS = 4;
  wire [18*DIGITS-1:0] a = {{18 * DIGITS - WIDTH{1'b0}}, a_i}, b = {{18 * DIGITS - WIDTH{1'b0}}, b_i};
  genvar i, k;
  generate
    for (k = 0; k < DIGITS; k = k + 1) begin : row
      reg [35:0] product[0:DIGITS-1];
      reg [18*DIGITS+17:0] sum;
      for (i = 0; i < DIGITS; i = i + 1) begin : digit
        always @(posedge clk) product[i] <= {18'd0, a[18*i+:18]} * {18'd0, b[18*k+:18]};
      end
      always @(posedge clk) sum <= {18'd0, product[2], product[0]} + {product[3], product[1], 18'd0};
    end
    for (k = 0; k < DIGITS / 2; k = k + 1) begin : pair
      reg [18*DIGITS+35:0] sum;
      always @(posedge clk) sum <= {18'd0, row[2*k].sum} + {row[2*k+1].sum, 18'd0};
    end
  endgenerate
  reg [36*DIGITS-1:0] total;
  always @(posedge clk) total <= {36'd0, pair[0].sum} + {pair[1].sum, 36'd0};
  assign y_o = total[FIRST+:WIDTH];
  wire unused = &{1'b0, total};
endmodule

`default_nettype wire
