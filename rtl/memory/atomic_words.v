// SPDX-License-Identifier: Apache-2.0
// The arithmetic of atomics in the device cache: takes the words of a beat one after the other, lowest first, one a
// cycle. A result comes 3 cycles after its word is chosen.
`default_nettype none

module atomic_words #(
    parameter WORDS = 8,  // of a beat, power of two
    parameter WORD_BITS = 3  // log2(WORDS)
) (
    input wire clk,
    input wire rst,

    input  wire             start_i,    // a new beat
    input  wire [WORDS-1:0] words_i,    // the words that the atomic changes
    input  wire             advance_i,  // beat_i and operands_i are valid
    output wire             done_o,     // pulse: the last result is given in this cycle

    input  wire [         4:0] function_i,   // funct5 of an amo
    input  wire [32*WORDS-1:0] beat_i,
    input  wire [32*WORDS-1:0] operands_i,
    output reg  [   WORDS-1:0] result_at_o,  // the word of the result, one-hot; 0: no result
    output reg  [        31:0] result_o
);
  reg [WORDS-1:0] left;
  wire [WORDS-1:0] lowest;
  wire [WORD_BITS-1:0] word;
  lowest_bit #(
      .WIDTH(WORDS),
      .INDEX_BITS(WORD_BITS)
  ) lowest_bit (
      .word_i (left),
      .bit_o  (lowest),
      .index_o(word)
  );

  // Stages: chosen; x: operands registered; result.
  reg chosen_last, x_last, result_last;
  reg [WORDS-1:0] chosen_at, x_at;
  reg [WORD_BITS-1:0] chosen;
  reg [31:0] x_old, x_operand, result;
  wire less = (function_i[3] || x_old[31] == x_operand[31]) ? x_old < x_operand : x_old[31];
  always @* begin
    case (function_i[4:2])
      3'd0: result = function_i[0] ? x_operand : x_old + x_operand;  // swap, add
      3'd1: result = x_old ^ x_operand;
      3'd2: result = x_old | x_operand;
      3'd3: result = x_old & x_operand;
      default: result = less != function_i[2] ? x_old : x_operand;  // min, max, and unsigned
    endcase
  end
  always @(posedge clk) begin
    if (start_i) left <= words_i;
    else if (advance_i) left <= left & ~lowest;
    chosen_at <= advance_i ? lowest : {WORDS{1'b0}};
    chosen_last <= advance_i && lowest != 0 && left == lowest;
    chosen <= word;
    x_at <= chosen_at;
    x_last <= chosen_last;
    x_old <= beat_i[{chosen, 5'd0}+:32];
    x_operand <= operands_i[{chosen, 5'd0}+:32];
    result_at_o <= x_at;
    result_last <= x_last;
    result_o <= result;
    if (rst) begin
      left <= 0;
      {chosen_at, x_at, result_at_o} <= {3 * WORDS{1'b0}};
      {chosen_last, x_last, result_last} <= 3'b000;
    end
  end
  assign done_o = result_last;
  wire unused = &{1'b0, function_i[1]};
endmodule

`default_nettype wire
