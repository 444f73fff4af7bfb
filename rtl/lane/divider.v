// SPDX-License-Identifier: Apache-2.0
// Integer division and remainder of one lane, a bit a cycle; all lanes of a unit run in step under divide_control.
// start_i loads the operands; the quotient or remainder stands at result_o a cycle after the 32nd step.
// Division by zero and overflow give what the M extension says, without special cases but one: a zero divisor keeps the
// quotient's sign positive (all ones).
`default_nettype none

module divider (
    input  wire        clk,
    input  wire        start_i,
    input  wire        step_i,
    input  wire        signed_i,
    input  wire        remainder_i,
    input  wire [31:0] dividend_i,
    input  wire [31:0] divisor_i,
    output reg  [31:0] result_o
);
  reg [31:0] remainder, quotient, divisor;
  reg negate_quotient, negate_remainder, want_remainder;

  wire [32:0] shifted = {remainder, quotient[31]};
  wire [32:0] difference = shifted - {1'b0, divisor};
  wire fits = !difference[32];
  wire [31:0] magnitude = want_remainder ? remainder : quotient;
  wire negate = want_remainder ? negate_remainder : negate_quotient;

  always @(posedge clk) begin
    if (start_i) begin
      remainder <= 32'd0;
      quotient <= (signed_i && dividend_i[31]) ? -dividend_i : dividend_i;
      divisor <= (signed_i && divisor_i[31]) ? -divisor_i : divisor_i;
      negate_quotient <= signed_i && (dividend_i[31] ^ divisor_i[31]) && (divisor_i != 32'd0);
      negate_remainder <= signed_i && dividend_i[31];
      want_remainder <= remainder_i;
    end else if (step_i) begin
      remainder <= fits ? difference[31:0] : shifted[31:0];
      quotient  <= {quotient[30:0], fits};
    end
    result_o <= negate ? -magnitude : magnitude;
  end
endmodule

`default_nettype wire
