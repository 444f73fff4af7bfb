// SPDX-License-Identifier: Apache-2.0
// Square root of a float, binary32 with subnormals, rounded to nearest even. One a cycle; LATENCY is 17 cycles: 2 to take
// the operand apart, 13 of two digits each, 2 to put the result together. Digits do not restore, as in float_divide.v.
`default_nettype none

module float_root (
    input  wire        clk,
    input  wire [31:0] a_i,
    output reg  [31:0] y_o
);
  localparam STAGES = 13;
  wire [23:0] a_mantissa;
  wire [ 9:0] a_exponent;
  wire a_sign, a_zero, a_infinite, a_nan;
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
  // The exponent is even when its biased form is odd: the mantissa is from 1 to 4 then.
  wire [24:0] radicand = a_exponent[0] ? {1'b0, a_mantissa} : {a_mantissa, 1'b0};
  wire [ 9:0] twice = a_exponent + 10'd127;

  genvar k;
  generate
    for (k = 0; k < STAGES; k = k + 1) begin : stage
      reg [27:0] rest;  // as two's complement
      reg [25:0] root;  // the digits so far
      reg [24:0] behind;  // of the radicand, at the top
      reg [ 7:0] exponent;  // less one
      reg sign, nan, infinite, zero;
      wire [27:0] had, first, middle, second;
      wire [25:0] so_far, then;
      wire [24:0] coming;
      if (k == 0) begin : begins
        assign {had, so_far, coming} = {28'd0, 26'd0, radicand};
        always @(posedge clk) begin
          {sign, nan} <= {a_sign, a_nan || (a_sign && !a_zero)};
          {infinite, zero} <= {a_infinite, a_zero};
          exponent <= twice[8:1] - 8'd1;
        end
      end else begin : follows
        assign {had, so_far, coming} = {stage[k-1].rest, stage[k-1].root, stage[k-1].behind};
        always @(posedge clk) begin
          {sign, nan, infinite, zero} <= {stage[k-1].sign, stage[k-1].nan, stage[k-1].infinite, stage[k-1].zero};
          exponent <= stage[k-1].exponent;
        end
      end
      // Less 4 root + 1; where it has become negative, with 4 root + 3. What comes down are the next two bits.
      assign first  = {had[25:0], coming[24:23]} + ({so_far, had[27], 1'b1} ^ {28{!had[27]}}) + {27'd0, !had[27]};
      assign then   = {so_far[24:0], !first[27]};
      assign middle = {first[25:0], coming[22:21]};
      assign second = middle + ({then, first[27], 1'b1} ^ {28{!first[27]}}) + {27'd0, !first[27]};
      always @(posedge clk) begin
        rest   <= second;
        root   <= {then[24:0], !second[27]};
        behind <= {coming[20:0], 4'd0};
      end
      wire unused = &{1'b0, had[26], first[26], behind, root[25]};  // of the last or the first stage
    end
  endgenerate

  // Whether anything is left behind the digits.
  reg [25:0] root;
  reg [ 7:0] exponent;
  reg left, sign, nan, infinite, zero;
  wire [27:0] remainder = stage[STAGES-1].rest + ({1'b0, stage[STAGES-1].root, 1'b1} & {28{stage[STAGES-1].rest[27]}});
  always @(posedge clk) begin
    {root, exponent} <= {stage[STAGES-1].root, stage[STAGES-1].exponent};
    left <= remainder != 28'd0;
    {sign, nan, infinite, zero} <= {
      stage[STAGES-1].sign, stage[STAGES-1].nan, stage[STAGES-1].infinite, stage[STAGES-1].zero
    };
  end

  wire up = root[1] && (root[0] || left || root[2]);
  wire [30:0] rounded = {exponent, 23'd0} + {7'd0, root[25:2]} + {30'd0, up};
  always @(posedge clk) y_o <= nan ? 32'h7FC00000 : {sign, zero ? 31'd0 : infinite ? 31'h7F800000 : rounded};
  wire unused = &{1'b0, twice[9], twice[0]};
endmodule

`default_nettype wire
