// SPDX-License-Identifier: Apache-2.0
// Unsigned quotient and remainder, a bit a stage. One a cycle; WIDTH + 1 cycles. Division by zero gives all ones and
// the dividend.
`default_nettype none

module divide #(
    parameter WIDTH = 32,
    parameter REMAINDER = 0  // 1: y_o is the remainder
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a_i,
    input  wire [WIDTH-1:0] b_i,
    output wire [WIDTH-1:0] y_o
);
  genvar k;
  generate
    for (k = 0; k <= WIDTH; k = k + 1) begin : stage
      /* verilator lint_off UNUSEDSIGNAL */
      reg [WIDTH-1:0] divisor;  // of the last stage nobody asks for it
      /* verilator lint_on UNUSEDSIGNAL */
      reg [WIDTH-1:0] rest, quotient;  // the dividend's bits leave the quotient at the top as its own come in
      if (k == 0) begin : first
        always @(posedge clk) {rest, quotient, divisor} <= {{WIDTH{1'b0}}, a_i, b_i};
      end else begin : next
        wire [WIDTH:0] shifted = {stage[k-1].rest, stage[k-1].quotient[WIDTH-1]};
        wire [WIDTH:0] less = shifted - {1'b0, stage[k-1].divisor};
        wire fits = !less[WIDTH];
        always @(posedge clk) begin
          rest <= fits ? less[WIDTH-1:0] : shifted[WIDTH-1:0];
          quotient <= {stage[k-1].quotient[WIDTH-2:0], fits};
          divisor <= stage[k-1].divisor;
        end
      end
    end
  endgenerate
  assign y_o = REMAINDER != 0 ? stage[WIDTH].rest : stage[WIDTH].quotient;
endmodule

`default_nettype wire
