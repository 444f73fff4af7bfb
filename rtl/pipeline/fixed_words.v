// SPDX-License-Identifier: Apache-2.0
// Loads words that a kernel loads once a dispatch, behind the words of its packet: of constant memory, at addresses that
// are computed from the packet, and from words of this module before them. They stand until the next dispatch. A word
// every two cycles at most; one with a WAITS of 1 is asked for SETTLE cycles after all before it have come. ready_o
// SETTLE cycles after the last. Where the address is none, or in a page that the dispatch has no right to, the word is
// bad, and has any value; if it is sure to be wanted, nothing is asked for behind it.
`include "rtl/shape.vh"
`default_nettype none

module fixed_words #(
    parameter WORDS = 1,  // up to 32
    parameter [WORDS*32-1:0] OFFSETS = 0,  // of the words, from their roots
    parameter [31:0] WAITS = 0,  // a bit for each
    parameter [31:0] SURE = 0,  // a bit for each that every work-item wants
    parameter SETTLE = 4,  // 1 or more
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter BEAT_LOG2 = 4,  // log2 of the bytes of a beat
    parameter PAGES_LOG2 = 0,  // as in heddle.v
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input wire [`HEDDLE_RIGHTS_BITS-1:0] rights_i,  // as in ../memory/rights.v

    input  wire                start_i,
    input  wire                open_i,        // the words of the packet stand, and the unit is not to stop
    input  wire [WORDS*32-1:0] root_i,
    output reg                 ready_o,
    output wire                reading_o,
    output reg                 missing_o,     // a word that is sure to be wanted is bad
    output reg  [         4:0] number_o,      // which
    output reg  [   WORDS-1:0] bad_o,         // those that are bad and may be wanted
    output reg                 no_right_o,    // of a bad one: it is an address, but without a right
    output reg  [        31:0] bad_address_o,

    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    input  wire                    response_valid_i,   // of this module's requests, in their order
    input  wire [8*BEAT_BYTES-1:0] response_data_i,

    output reg [WORDS*32-1:0] words_o
);
  localparam [31:0] WORD_COUNT = WORDS;
  localparam [5:0] ALL = WORD_COUNT[5:0];
  reg [5:0] asked, come;  // that are on their way count as asked
  reg checking, skips;
  reg [31:0] address;
  reg asking;  // in its first cycle the table of rights answers
  wire may_load;
  assign request_valid_o = asking && may_load;
  reg [7:0] settle;
  integer w;
  reg [31:0] root, offset;
  reg [BEAT_LOG2-1:0] place;  // in the beat, of the word that comes
  always @* begin
    {root, offset} = 64'd0;
    place = {BEAT_LOG2{1'b0}};
    for (w = 0; w < WORDS; w = w + 1) begin
      if (asked == w[5:0]) {root, offset} = {root_i[32*w+:32], OFFSETS[32*w+:32]};
      if (come == w[5:0]) place = root_i[32*w+:BEAT_LOG2] + OFFSETS[32*w+:BEAT_LOG2];
    end
  end
  wire is_right = address[31:GLOBAL_LOG2] == 0 && address[GLOBAL_LOG2-1:FIRST_LOG2] != 0 && address[1:0] == 2'd0;
  wire is_bad = (checking && !is_right) || (asking && !may_load);
  wire has_settled = come == asked && settle == 8'd0;
  wire idle = !checking && !asking && !missing_o && !skips;
  wire begins = open_i && idle && asked != ALL && (!WAITS[asked[4:0]] || has_settled);
  wire [31:0] word = response_data_i[{place[BEAT_LOG2-1:2], 5'd0}+:32];
  assign request_address_o = {address[GLOBAL_LOG2-1:BEAT_LOG2], {BEAT_LOG2{1'b0}}};
  assign reading_o = asking || checking || come != asked;
  always @(posedge clk) begin
    checking <= begins;
    if (begins) begin
      address  <= root + offset;
      number_o <= asked[4:0];
    end
    if (checking) asking <= is_right;
    if (asking && !may_load) asking <= 1'b0;
    if (is_bad) begin
      {missing_o, skips} <= {SURE[number_o], !SURE[number_o]};
      if (bad_o == 0 || SURE[number_o]) {no_right_o, bad_address_o} <= {asking, address};
    end
    // Words come in their order.
    if (skips && come == asked) begin
      skips <= 1'b0;
      asked <= asked + 6'd1;
      come  <= come + 6'd1;
      for (w = 0; w < WORDS; w = w + 1) if (asked == w[5:0]) bad_o[w] <= 1'b1;
    end
    if (request_valid_o && request_ready_i) begin
      asking <= 1'b0;
      asked  <= asked + 6'd1;
    end
    if (response_valid_i) begin
      come <= come + 6'd1;
      for (w = 0; w < WORDS; w = w + 1) if (come == w[5:0]) words_o[32*w+:32] <= word;
    end
    settle  <= response_valid_i || skips ? SETTLE : settle == 8'd0 ? settle : settle - 8'd1;
    ready_o <= (asked == ALL || missing_o) && has_settled && !skips && !response_valid_i && !start_i;
    if (start_i || rst) begin
      {asked, come} <= 12'd0;
      {settle, checking, asking, skips, missing_o, no_right_o, ready_o} <= 14'd0;
      bad_o <= 0;
    end
  end
  generate
    if (PAGES_LOG2 != 0) begin : checked
      wire unused_store;
      rights #(
          .ADDRESS_BITS(GLOBAL_LOG2),
          .PAGES_LOG2  (PAGES_LOG2)
      ) rights (
          .clk(clk),
          .rights_i(rights_i),
          .look_i(checking),
          .address_i(address[GLOBAL_LOG2-1:0]),
          .load_o(may_load),
          .store_o(unused_store)
      );
      wire unused = unused_store;
    end else begin : unchecked
      assign may_load = 1'b1;
      wire unused = &{1'b0, rights_i};
    end
  endgenerate
  wire unused = &{1'b0, place[1:0]};
endmodule

`default_nettype wire
