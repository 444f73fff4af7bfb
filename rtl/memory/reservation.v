// SPDX-License-Identifier: Apache-2.0
// The reservation of a memory: what lr.w reserves and sc.w needs. One for the whole memory: an owner and words of one row.
// An lr takes it when it is free, its own, or older than 2^AGE_LOG2 cycles; any other lr only reads, and its sc fails. So the
// holder is not disturbed by others that try, and one that never comes back does not hold them up for ever. Nor does one that comes
// back for lr alone, as a compare-and-swap that finds another value does: with its own lr's the reservation does not get younger.
// succeed_o answers in the same cycle for the operation that is presented; the strobes take effect at its end. Where owner and row of an
// operation stand a cycle before it (AHEAD), and an lr's reservation a cycle before the next operation's, they are compared then.
`default_nettype none

module reservation #(
    parameter OWNER_BITS = 5,   // who: a slot, and its unit where units share the memory
    parameter ROW_BITS   = 23,  // bits of a row's number
    parameter ROW_WORDS  = 8,
    parameter AGE_LOG2   = 16,
    parameter AHEAD      = 0
) (
    input wire clk,
    input wire rst,

    // one lr or sc of one row; at most one of the strobes
    input  wire                  lr_i,
    input  wire                  sc_i,
    input  wire [OWNER_BITS-1:0] owner_i,
    input  wire [  ROW_BITS-1:0] row_i,
    input  wire [ ROW_WORDS-1:0] words_i,   // read, or conditionally stored
    output wire [ ROW_WORDS-1:0] succeed_o, // words that this owner's sc may write

    // stores and amos, by whomever: who makes them looks which of their words are in the reserved row
    output reg  [ ROW_BITS-1:0] row_o,
    input  wire [ROW_WORDS-1:0] written_i
);
  reg [OWNER_BITS-1:0] owner;
  reg [ROW_WORDS-1:0] words;  // none: free
  reg [AGE_LOG2:0] age;

  wire own = owner == owner_i;
  wire same_row = row_o == row_i;
  reg was_own, was_same_row;
  always @(posedge clk) {was_own, was_same_row} <= {own, same_row};
  wire mine = AHEAD != 0 ? was_own : own;
  wire hit = AHEAD != 0 ? was_same_row : same_row;
  assign succeed_o = mine && hit ? words & words_i : {ROW_WORDS{1'b0}};

  // An sc that writes nothing leaves the reservation: it was for another row, or none of its lanes has done an lr.
  always @(posedge clk) begin
    if (!age[AGE_LOG2]) age <= age + 1'b1;
    words <= words & ~written_i;
    if (lr_i && (mine || words == 0 || age[AGE_LOG2])) begin
      owner <= owner_i;
      row_o <= row_i;
      words <= words_i;
      if (!mine || words == 0) age <= 0;
    end
    if (sc_i && mine && hit && words_i != 0) words <= 0;
    if (rst) words <= 0;
  end
endmodule

`default_nettype wire
