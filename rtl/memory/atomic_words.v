// SPDX-License-Identifier: Apache-2.0
// Works through the words of a row that an atomic changes, lowest first, with one set of arithmetic: one word a cycle, a
// result 3 cycles after its word is chosen.
`default_nettype none

module atomic_words #(
    parameter WORDS = 8,  // of a row, power of two
    parameter WORD_BITS = 3  // log2(WORDS)
) (
    input wire clk,
    input wire rst,

    input  wire             start_i,  // a new row
    input  wire [WORDS-1:0] words_i,  // which words
    input  wire             go_i,     // row_i and operands_i stand
    output wire             done_o,   // pulse: the last result goes out with this

    input  wire [         4:0] function_i,   // funct5 of an amo
    input  wire [32*WORDS-1:0] row_i,
    input  wire [32*WORDS-1:0] operands_i,
    output reg  [   WORDS-1:0] result_at_o,  // the word of the result, none: there is none
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

  // Chosen; taken out (x); computed.
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
    else if (go_i) left <= left & ~lowest;
    chosen_at <= go_i ? lowest : {WORDS{1'b0}};
    chosen_last <= go_i && lowest != 0 && left == lowest;
    chosen <= word;
    x_at <= chosen_at;
    x_last <= chosen_last;
    x_old <= row_i[{chosen, 5'd0}+:32];
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
