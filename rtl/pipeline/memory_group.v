// SPDX-License-Identifier: Apache-2.0
// Makes the accesses of one memory group, for one token after the other: the head of the group's queue stands at the
// inputs until take_o. An access a cycle; one that no lane makes is left out, and a token without any goes on at once.
// Addresses are those of a root with a constant offset; which root, mask and data an access has is in the parameters,
// the first access lowest. An access is of a word of each work-item; or across them: of neighbouring words of a few
// work-items, which are in few beats wherever the work-items' words are.
`default_nettype none

module memory_group #(
    parameter LANES = 1,  // power of two
    parameter ACCESSES = 1,
    parameter ACCESS_BITS = 1,  // of a number of an access
    parameter ROOTS = 1,  // different addresses
    parameter MASKS = 1,  // different masks of lanes
    parameter DATAS = 1,  // different words to store
    parameter [ACCESSES*8-1:0] ROOT = 0,  // of each access
    parameter [ACCESSES*8-1:0] MASK = 0,
    parameter [ACCESSES*32-1:0] OFFSET = 0,
    // Of an access with ACROSS = w lane p is word p % 2^w of work-item TURN * LANES / 2^w + p / 2^w. Words from WORDS on
    // are not accessed.
    parameter [ACCESSES*8-1:0] ACROSS = 0,
    parameter [ACCESSES*8-1:0] TURN = 0,
    parameter [ACCESSES*8-1:0] WORDS = {ACCESSES{8'd1}},
    parameter [ACCESSES*LANES*8-1:0] DATA = 0  // of each of its words
) (
    input wire clk,
    input wire rst,

    // the token at the head of the queue
    input  wire                      valid_i,
    output wire                      take_o,
    input  wire [ROOTS*LANES*32-1:0] roots_i,
    input  wire [   MASKS*LANES-1:0] masks_i,
    input  wire [DATAS*LANES*32-1:0] datas_i,

    // an access
    output wire                   access_o,
    input  wire                   ready_i,
    output wire [ACCESS_BITS-1:0] number_o,
    output wire                   final_o,    // the token's last
    output wire [      LANES-1:0] lanes_o,
    output wire [   LANES*32-1:0] address_o,
    output wire [   LANES*32-1:0] data_o,

    // the token made no access: it goes on when this is taken
    output wire none_o,
    input  wire none_ready_i
);
  localparam NUMBERS = 1 << ACCESS_BITS;
  reg [ACCESS_BITS-1:0] number;

  // What each access has; numbers that there are not are as the last one, so that they need no logic.
  wire [NUMBERS*LANES-1:0] all_lanes;
  wire [ACCESSES-1:0] some;  // of which accesses there is a lane
  genvar a, l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      wire [NUMBERS*32-1:0] roots, offsets, datas;
      for (a = 0; a < NUMBERS; a = a + 1) begin : of
        localparam integer AT = a < ACCESSES ? a : ACCESSES - 1;
        localparam integer W = {24'd0, ACROSS[AT*8+:8]};
        localparam integer WORD = l % (1 << W);
        localparam integer ITEM = TURN[AT*8+:8] * (LANES >> W) + (l >> W);
        localparam integer R = {24'd0, ROOT[AT*8+:8]}, M = {24'd0, MASK[AT*8+:8]};
        localparam integer D = {24'd0, DATA[(AT*LANES+WORD)*8+:8]};
        localparam integer COUNT = {24'd0, WORDS[AT*8+:8]};
        localparam [31:0] SHIFT = OFFSET[AT*32+:32] + 4 * WORD;
        assign all_lanes[a*LANES+l] = WORD < COUNT && masks_i[M*LANES+ITEM];
        assign roots[a*32+:32] = roots_i[(R*LANES+ITEM)*32+:32];
        assign offsets[a*32+:32] = SHIFT;
        assign datas[a*32+:32] = datas_i[(D*LANES+ITEM)*32+:32];
      end
      assign address_o[l*32+:32] = roots[number*32+:32] + offsets[number*32+:32];
      assign data_o[l*32+:32] = datas[number*32+:32];
    end
    for (a = 0; a < ACCESSES; a = a + 1) begin : asked
      assign some[a] = |all_lanes[a*LANES+:LANES];
    end
  endgenerate
  wire [LANES-1:0] lanes = all_lanes[number*LANES+:LANES];
  wire later = |(some & ({ACCESSES{1'b1}} << number << 1));  // an access behind this one has a lane
  wire none = some == {ACCESSES{1'b0}};
  wire here = lanes != {LANES{1'b0}};
  assign access_o = valid_i && here;
  assign none_o   = valid_i && none;
  assign number_o = number;
  assign final_o  = !later;
  assign lanes_o  = lanes;
  wire step = valid_i && !none && (!here || ready_i);
  assign take_o = none ? none_o && none_ready_i : step && !later;
  always @(posedge clk)
    if (rst) number <= 0;
    else if (step) number <= later ? number + 1'b1 : {ACCESS_BITS{1'b0}};
endmodule

`default_nettype wire
