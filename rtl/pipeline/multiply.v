// SPDX-License-Identifier: Apache-2.0
// The low WIDTH bits of a product. One a cycle, 2 cycles.
`default_nettype none

module multiply #(
    parameter WIDTH = 32
) (
    input wire clk,
    input wire [WIDTH-1:0] a_i,
    input wire [WIDTH-1:0] b_i,
    output reg [WIDTH-1:0] y_o
);
  generate
    if (WIDTH > 18 && WIDTH <= 36) begin : parts
      // Registered 18 x 18 products.
      localparam UPPER = WIDTH - 18;
      reg [35:0] low;
      reg [UPPER-1:0] left, right;
      always @(posedge clk) begin
        low   <= {18'd0, a_i[17:0]} * {18'd0, b_i[17:0]};
        left  <= a_i[UPPER-1:0] * b_i[WIDTH-1:18];
        right <= a_i[WIDTH-1:18] * b_i[UPPER-1:0];
        y_o   <= low[WIDTH-1:0] + {left + right, 18'd0};
      end
      wire unused = &{1'b0, low};
    end else begin : whole
      reg [WIDTH-1:0] product;
      always @(posedge clk) begin
        product <= a_i * b_i;
        y_o <= product;
      end
    end
  endgenerate
endmodule

`default_nettype wire
