// SPDX-License-Identifier: Apache-2.0
// Quotient of two floats, binary32 with subnormals, rounded to nearest even. One a cycle; LATENCY is 18 cycles: 2 to take
// the operands apart, 13 of two digits each, 3 to put the result together. Digits do not restore: where the remainder
// has become negative the next step adds the divisor.
`default_nettype none

module float_divide (
    input  wire        clk,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output reg  [31:0] y_o
);
  localparam STAGES = 13;
  wire [23:0] a_mantissa, b_mantissa;
  wire [9:0] a_exponent, b_exponent;
  wire a_sign, a_zero, a_infinite, a_nan, b_sign, b_zero, b_infinite, b_nan;
  float_normal normal_a (
      .clk(clk),
      .a_i(a_i),
      .mantissa_o(a_mantissa),
      .exponent_o(a_exponent),
      .sign_o(a_sign),
      .zero_o(a_zero),
      .infinite_o(a_infinite),
      .nan_o(a_nan)
  );
  float_normal normal_b (
      .clk(clk),
      .a_i(b_i),
      .mantissa_o(b_mantissa),
      .exponent_o(b_exponent),
      .sign_o(b_sign),
      .zero_o(b_zero),
      .infinite_o(b_infinite),
      .nan_o(b_nan)
  );
  wire operands_nan = a_nan || b_nan || (a_zero && b_zero) || (a_infinite && b_infinite);
  wire operands_infinite = a_infinite || b_zero;
  wire operands_zero = a_zero || b_infinite;

  // The remainder after each stage, as two's complement, and the digits so far: the last one's weight is 1 at first.
  genvar k;
  generate
    for (k = 0; k < STAGES; k = k + 1) begin : stage
      reg [25:0] rest;
      reg [25:0] digits;
      reg [23:0] divisor;
      reg [ 9:0] exponent;
      reg sign, nan, infinite, zero;
      wire [25:0] had, first, second;
      wire [23:0] by;
      wire negative;  // what was left
      if (k == 0) begin : begins
        assign {had, by, negative} = {2'd0, a_mantissa, b_mantissa, 1'b0};
        always @(posedge clk) begin
          {sign, nan, infinite, zero} <= {a_sign ^ b_sign, operands_nan, operands_infinite, operands_zero};
          exponent <= a_exponent - b_exponent + 10'd127;
          digits <= {24'd0, !first[25], !second[25]};
        end
      end else begin : follows
        assign had = {stage[k-1].rest[24:0], 1'b0};
        assign by = stage[k-1].divisor;
        assign negative = stage[k-1].rest[25];
        always @(posedge clk) begin
          {sign, nan, infinite, zero} <= {stage[k-1].sign, stage[k-1].nan, stage[k-1].infinite, stage[k-1].zero};
          exponent <= stage[k-1].exponent;
          digits <= {stage[k-1].digits[23:0], !first[25], !second[25]};
        end
      end
      assign first  = had + ({2'd0, by} ^ {26{!negative}}) + {25'd0, !negative};
      assign second = {first[24:0], 1'b0} + ({2'd0, by} ^ {26{!first[25]}}) + {25'd0, !first[25]};
      always @(posedge clk) begin
        rest <= second;
        divisor <= by;
      end
      wire unused = &{1'b0, digits[25:24]};  // of the last or the first stage
    end
  endgenerate

  // The leading digit may be 0; whether anything is left behind the digits.
  reg [25:0] quotient;
  reg [ 9:0] exponent;
  reg left, sign, is_nan, is_infinite, is_zero;
  wire [25:0] remainder = stage[STAGES-1].rest + ({2'd0, stage[STAGES-1].divisor} & {26{stage[STAGES-1].rest[25]}});
  always @(posedge clk) begin
    quotient <= stage[STAGES-1].digits[25] ? stage[STAGES-1].digits : {stage[STAGES-1].digits[24:0], 1'b0};
    exponent <= stage[STAGES-1].exponent - {9'd0, !stage[STAGES-1].digits[25]};
    left <= remainder != 26'd0;
    {sign, is_nan, is_infinite, is_zero} <= {
      stage[STAGES-1].sign, stage[STAGES-1].nan, stage[STAGES-1].infinite, stage[STAGES-1].zero
    };
  end

  // Below the smallest normal number the mantissa moves down.
  wire below = exponent[9] || exponent == 10'd0;
  wire [9:0] distance = below ? 10'd1 - exponent : 10'd0;
  wire [4:0] places = distance > 10'd26 ? 5'd26 : distance[4:0];
  wire [51:0] moved = {quotient, 26'd0} >> places;
  reg [25:0] m;
  reg [8:0] m_exponent;  // less one
  reg m_left, m_sign, m_nan, m_infinite, m_zero;
  always @(posedge clk) begin
    m <= moved[51:26];
    m_left <= left || moved[25:0] != 26'd0;
    m_exponent <= below ? 9'd0 : exponent[8:0] - 9'd1;
    {m_sign, m_nan, m_zero} <= {sign, is_nan, is_zero};
    m_infinite <= is_infinite || (!exponent[9] && exponent >= 10'd255);
  end

  wire up = m[1] && (m[0] || m_left || m[2]);
  wire [31:0] rounded = {m_exponent, 23'd0} + {8'd0, m[25:2]} + {31'd0, up};
  always @(posedge clk)
    y_o <= m_nan ? 32'h7FC00000 : {m_sign, m_zero ? 31'd0 : m_infinite ? 31'h7F800000 : rounded[30:0]};
  wire unused = &{1'b0, rounded[31]};
endmodule

`default_nettype wire
