// SPDX-License-Identifier: Apache-2.0
// Division, remainder and square root of one lane, a bit a cycle; all lanes of a unit run in step under divide_control.
// Integers: start_i loads the operands; after the 32nd step result_i brings the quotient or remainder to result_o.
// Division by zero and overflow give what the M extension says, without special cases but one: a zero divisor keeps the
// quotient's sign positive (all ones).
// Floats: mantissas are loaded and, while normalise_i, shifted until their leading ones are in place (normalise_o: not
// yet); 26 steps then give the digits, which a cycle later with a last bit for the remainder stand at quotient_o,
// exponent and kind at about_o, as float_unit.v takes them. A root's digits also build up in the divisor: twice the root so
// far; beside it is the digit to try. A step ends with its subtraction: both what it had and the difference are kept,
// and the next step chooses.
`default_nettype none

module divider #(
    parameter FPU = 1  // 1: with floats
) (
    input  wire        clk,
    input  wire        start_i,
    input  wire        step_i,
    input  wire        signed_i,
    input  wire        remainder_i,
    input  wire [31:0] dividend_i,
    input  wire [31:0] divisor_i,
    input  wire        result_i,     // now
    output reg  [31:0] result_o,     // the cycle after; else 0

    // floats
    input  wire        float_i,          // with start_i
    input  wire        root_i,
    input  wire        dividend_tiny_i,  // zero or subnormal
    input  wire        divisor_tiny_i,
    input  wire [ 9:0] exponent_i,       // the quotient's plus 45, twice the root's plus 94
    input  wire        negative_i,
    input  wire        nan_i,            // the result is known to be a NaN,
    input  wire        infinite_i,       // infinite, or zero
    input  wire        zero_i,
    input  wire        normalise_i,
    output wire        normalise_o,
    output wire [26:0] quotient_o,
    output wire [31:0] about_o
);
  reg [31:0] had, difference, quotient, divisor;
  reg fitted;
  wire [31:0] remainder = fitted ? difference : had;
  reg negate_quotient, negate_remainder, want_remainder, negative_divisor;

  wire is_float = FPU != 0 && float_i;
  wire normalise = FPU != 0 && normalise_i;
  // A negative divisor is added.
  wire [25:0] digit;  // of a root, one-hot; else 0
  wire [31:0] tried = FPU != 0 ? divisor | {6'd0, digit} : divisor;
  wire [32:0] shifted = {remainder, quotient[31]};
  wire [32:0] subtracted = shifted + {1'b1, tried ^ {32{!negative_divisor}}} + {32'd0, !negative_divisor};
  wire fits = !subtracted[32] && !normalise;
  wire negate = want_remainder ? negate_remainder : negate_quotient;
  wire [31:0] magnitude = (want_remainder ? remainder : quotient) ^ {32{negate}};
  wire shift_dividend, shift_divisor;
  wire negate_dividend = signed_i && dividend_i[31];

  // For the synthesiser the values that come with start_i are outermost where they are constant: a reset costs nothing.
  always @(posedge clk) begin
    if (start_i && !is_float) had <= 32'd0;
    else if (start_i) had <= {7'd0, !dividend_tiny_i, dividend_i[22:0], 1'b0};
    else if (step_i || shift_dividend) had <= shifted[31:0];
    if (step_i) difference <= subtracted[31:0];
    if (start_i) fitted <= 1'b0;
    else if (step_i || shift_dividend) fitted <= fits;

    if (start_i && is_float) quotient <= 32'd0;
    else if (start_i) quotient <= (dividend_i ^ {32{negate_dividend}}) + {31'd0, negate_dividend};
    else if (step_i || shift_dividend) quotient <= {quotient[30:0], fits};

    // A mantissa's leading one starts at bit 23 or below and ends at bit 25.
    if (start_i)
      divisor <= {divisor_i[31:24] & {8{!is_float}}, is_float ? !divisor_tiny_i : divisor_i[23], divisor_i[22:0]};
    else if (FPU != 0 && shift_divisor) divisor <= {divisor[30:0], 1'b0};
    else if (FPU != 0 && step_i && !subtracted[32]) divisor[26:1] <= divisor[26:1] | digit;

    if (start_i) begin
      negate_quotient  <= signed_i && (dividend_i[31] ^ divisor_i[31]) && (divisor_i != 32'd0);
      negate_remainder <= negate_dividend;
      negative_divisor <= signed_i && divisor_i[31] && !is_float;
    end
    if (result_i) result_o <= magnitude + {31'd0, negate};
    else result_o <= 32'd0;
  end
  // Each divider has its own, though all are equal: Yosys would make one of them, far from most.
  (* keep *) always @(posedge clk) if (start_i) want_remainder <= remainder_i;

  generate
    if (FPU != 0) begin : with_floats
      reg [9:0] exponent;
      reg root, negative, nan, infinite, zero;
      wire dividend_waits = !remainder[25] && (!remainder[24] || (root && exponent[0]));
      wire divisor_waits = !root && !divisor[25];
      assign shift_dividend = normalise && dividend_waits;
      assign shift_divisor  = normalise && divisor_waits;
      // Whether one of them waits is found a cycle before: divide_control hears it from all lanes, some of them far
      // away.
      reg waits;
      assign normalise_o = waits && !nan && !infinite && !zero;
      always @(posedge clk)
        if (start_i) begin
          exponent <= exponent_i;
          {root, negative, nan, infinite, zero} <= {root_i, negative_i, nan_i, infinite_i, zero_i};
          waits <= !root_i || dividend_tiny_i || exponent_i[0];
        end else begin
          if (shift_dividend != shift_divisor) exponent <= exponent + {{9{shift_dividend}}, 1'b1};
          if (normalise)
            waits <= (dividend_waits && !remainder[24] && (!remainder[23] || (root && !exponent[0]))) ||
                     (divisor_waits && !divisor[24]);
        end

      // A NaN has no root: so that each lane's digits are its own, and near.
      reg [25:0] root_digit;
      assign digit = root_digit;
      always @(posedge clk)
        if (start_i) root_digit <= {is_float && root_i && !nan_i, 25'd0};
        else if (step_i) root_digit <= {1'b0, root_digit[25:1]};

      // Below the smallest exponent only the remainder's bit counts: float_unit.v rounds it.
      wire [9:0] result_exponent = root ? {exponent[9], exponent[9:1]} : exponent;
      reg inexact;
      reg [12:0] about;
      assign quotient_o = {quotient[25:0], inexact};
      assign about_o = {about, 19'd0};
      always @(posedge clk) begin
        inexact <= remainder != 32'd0;
        about   <= {result_exponent[8:0] & {9{!result_exponent[9]}}, negative, nan, infinite, zero};
      end
    end else begin : without_floats
      assign {digit, shift_dividend, shift_divisor, normalise_o, quotient_o, about_o} = 88'd0;
      wire unused = &{1'b0, root_i, exponent_i, negative_i, nan_i, infinite_i, zero_i, normalise_i};
      wire unused_tiny = &{1'b0, dividend_tiny_i, divisor_tiny_i, float_i};
    end
  endgenerate
endmodule

`default_nettype wire
