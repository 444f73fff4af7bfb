// SPDX-License-Identifier: Apache-2.0
// Keeps the order of accesses that meet, of rounds of a loop that overlap: a round waits here while one that has gone
// on, and is not over with its accesses, claims a word that it checks. All others go on, a round a cycle, in their
// order. Words are compared by HASH_BITS of their addresses: rounds may wait for others that they do not meet, and
// never miss one. A round that comes alone leaves 3 cycles later, 4 with block RAM in its queue.
`default_nettype none

module hazards #(
    parameter SLOT_BITS = 5,  // log2 of the slots
    parameter ROUNDS_LOG2 = 4,  // log2 of the rounds that may have gone on and not be over
    parameter WORDS = 1,
    parameter [WORDS-1:0] CLAIMED = 1,  // which words rounds claim, and which they check
    parameter [WORDS-1:0] CHECKED = 1,
    parameter BITS = 32  // of a word's address
) (
    input wire clk,
    input wire rst,

    input wire valid_i,
    input wire [SLOT_BITS-1:0] slot_i,
    input wire [WORDS*BITS-1:0] address_i,  // in words
    input wire [WORDS-1:0] claims_i,  // whether the round accesses it at all, of CLAIMED and of CHECKED
    input wire [WORDS-1:0] checks_i,

    input wire over_i, // the oldest of the rounds that have gone on has made its accesses

    output reg valid_o,
    output reg [SLOT_BITS-1:0] slot_o
);
  localparam HASH_BITS = BITS < 12 ? BITS : 12, ROUNDS = 1 << ROUNDS_LOG2;
  // Neighbours differ in low bits, arrays in high ones, which are turned around so that these seldom undo each other.
  function [HASH_BITS-1:0] hash(input [BITS-1:0] address);
    integer b;
    begin
      hash = address[HASH_BITS-1:0];
      for (b = HASH_BITS; b < BITS; b = b + 1)
      hash[HASH_BITS-1-b%HASH_BITS] = hash[HASH_BITS-1-b%HASH_BITS] ^ address[b];
    end
  endfunction

  wire [WORDS*HASH_BITS-1:0] hash_in, hashes;
  wire [WORDS-1:0] claims, checks;
  wire [SLOT_BITS-1:0] slot;
  wire queued, take;
  genvar w;
  generate
    for (w = 0; w < WORDS; w = w + 1) begin : word
      assign hash_in[w*HASH_BITS+:HASH_BITS] = hash(address_i[w*BITS+:BITS]);
    end
  endgenerate
  token_queue #(
      .WIDTH(SLOT_BITS + WORDS * (HASH_BITS + 2)),
      .SLOT_BITS(SLOT_BITS)
  ) queue (
      .clk(clk),
      .rst(rst),
      .valid_i(valid_i),
      .word_i({slot_i, hash_in, claims_i & CLAIMED, checks_i & CHECKED}),
      .valid_o(queued),
      .word_o({slot, hashes, claims, checks}),
      .take_i(take)
  );

  // What the rounds claim that have gone on: a ring of them, from `first` on.
  reg [ROUNDS*WORDS-1:0] claimed;
  reg [ROUNDS*WORDS*HASH_BITS-1:0] claimed_hash;
  reg [ROUNDS_LOG2-1:0] first, next;
  reg [ROUNDS_LOG2:0] count;
  reg meets;
  integer r, i, k;
  always @* begin
    meets = 1'b0;
    for (r = 0; r < ROUNDS; r = r + 1)
    for (i = 0; i < WORDS; i = i + 1)
    for (k = 0; k < WORDS; k = k + 1)
    if (CLAIMED[i] && CHECKED[k])
      meets = meets || (claimed[r*WORDS+i] && checks[k] &&
          claimed_hash[(r*WORDS+i)*HASH_BITS+:HASH_BITS] == hashes[k*HASH_BITS+:HASH_BITS]);
  end
  assign take = queued && !meets && !count[ROUNDS_LOG2];
  always @(posedge clk) begin
    valid_o <= take && !rst;
    slot_o <= slot;
    for (r = 0; r < ROUNDS; r = r + 1) begin
      if (over_i && first == r[ROUNDS_LOG2-1:0]) claimed[r*WORDS+:WORDS] <= {WORDS{1'b0}};
      if (take && next == r[ROUNDS_LOG2-1:0]) begin
        claimed[r*WORDS+:WORDS] <= claims;
        claimed_hash[r*WORDS*HASH_BITS+:WORDS*HASH_BITS] <= hashes;
      end
    end
    first <= first + {{ROUNDS_LOG2 - 1{1'b0}}, over_i};
    next  <= next + {{ROUNDS_LOG2 - 1{1'b0}}, take};
    count <= count + {{ROUNDS_LOG2{1'b0}}, take} - {{ROUNDS_LOG2{1'b0}}, over_i};
    if (rst) begin
      claimed <= 0;
      first <= 0;
      next <= 0;
      count <= 0;
    end
  end
endmodule

`default_nettype wire
