// SPDX-License-Identifier: Apache-2.0
// The reservation of a memory: lr.w makes it, sc.w needs it. There is one for the whole memory: an owner and words of
// one beat. An lr takes it when it is free, its own, or older than 2^AGE_LOG2 cycles; any other lr only reads, and its
// sc fails. So others cannot take it from its owner, and an owner that never does its sc does not keep it for ever. An
// lr of the owner does not restart the age, so a compare-and-swap that finds another value again and again does not
// keep it either. succeed_o is for the operation that is given in this cycle; the strobes take effect at the end of the
// cycle. With AHEAD owner and beat are given a cycle before the operation, and they are compared then.
`default_nettype none

module reservation #(
    parameter OWNER_BITS      = 5,   // of an owner: a slot, and its unit if units share the memory
    parameter BEAT_INDEX_BITS = 23,  // bits of a beat's number
    parameter BEAT_WORDS      = 8,
    parameter AGE_LOG2        = 16,
    parameter AHEAD           = 0
) (
    input wire clk,
    input wire rst,

    // one lr or sc of one beat; at most one of the strobes is set
    input  wire                       lr_i,
    input  wire                       sc_i,
    input  wire [     OWNER_BITS-1:0] owner_i,
    input  wire [BEAT_INDEX_BITS-1:0] beat_i,
    input  wire [     BEAT_WORDS-1:0] words_i,   // words read, or stored conditionally
    output wire [     BEAT_WORDS-1:0] succeed_o, // words that this owner's sc may write

    // stores and amos of all owners: the memory compares their beat with beat_o, and says which reserved words they
    // write
    output reg [BEAT_INDEX_BITS-1:0] beat_o,
    input wire [BEAT_WORDS-1:0] written_i
);
  reg [OWNER_BITS-1:0] owner;
  reg [BEAT_WORDS-1:0] words;  // reserved words; 0: free
  reg [AGE_LOG2:0] age;

  wire own = owner == owner_i;
  wire same_beat = beat_o == beat_i;
  reg was_own, was_same_beat;
  always @(posedge clk) {was_own, was_same_beat} <= {own, same_beat};
  wire mine = AHEAD != 0 ? was_own : own;
  wire hit = AHEAD != 0 ? was_same_beat : same_beat;
  assign succeed_o = mine && hit ? words & words_i : {BEAT_WORDS{1'b0}};

  // An sc that writes nothing keeps the reservation: it was for another beat, or none of its lanes has done an lr.
  always @(posedge clk) begin
    if (!age[AGE_LOG2]) age <= age + 1'b1;
    words <= words & ~written_i;
    if (lr_i && (mine || words == 0 || age[AGE_LOG2])) begin
      owner  <= owner_i;
      beat_o <= beat_i;
      words  <= words_i;
      if (!mine || words == 0) age <= 0;
    end
    if (sc_i && mine && hit && words_i != 0) words <= 0;
    if (rst) words <= 0;
  end
endmodule

`default_nettype wire
