// SPDX-License-Identifier: Apache-2.0
// Makes the accesses of one memory group, for one token after the other: the head of the group's queue stands at the
// inputs until take_o. An access a cycle; one that no lane makes is left out, and a token without any goes on at once.
// Addresses are those of a root with a constant offset; which root, mask and data an access has is in the parameters,
// the first access lowest.
`default_nettype none

module memory_group #(
    parameter LANES = 1,
    parameter ACCESSES = 1,
    parameter ACCESS_BITS = 1,  // of a number of an access
    parameter ROOTS = 1,  // different addresses
    parameter MASKS = 1,  // different masks of lanes
    parameter DATAS = 1,  // different words to store
    parameter [ACCESSES*8-1:0] ROOT = 0,  // of each access
    parameter [ACCESSES*8-1:0] MASK = 0,
    parameter [ACCESSES*8-1:0] DATA = 0,
    parameter [ACCESSES*32-1:0] OFFSET = 0
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
  localparam [ACCESS_BITS-1:0] LAST = ACCESSES - 1;
  reg [ACCESS_BITS-1:0] number;

  // Which accesses have a lane.
  reg [ACCESSES-1:0] some;
  reg later;  // one behind this has
  reg [LANES-1:0] lanes;
  reg [LANES*32-1:0] root, data;
  reg [31:0] offset;
  integer a, r;
  always @* begin
    later  = 1'b0;
    lanes  = {LANES{1'b0}};
    root   = {LANES * 32{1'b0}};
    data   = {LANES * 32{1'b0}};
    offset = 32'd0;
    for (a = 0; a < ACCESSES; a = a + 1) begin
      some[a] = 1'b0;
      for (r = 0; r < MASKS; r = r + 1)
      if (MASK[a*8+:8] == r[7:0]) begin
        some[a] = masks_i[r*LANES+:LANES] != {LANES{1'b0}};
        if (number == a[ACCESS_BITS-1:0]) lanes = masks_i[r*LANES+:LANES];
      end
      if (a > {{32 - ACCESS_BITS{1'b0}}, number} && some[a]) later = 1'b1;
      if (number == a[ACCESS_BITS-1:0]) begin
        offset = OFFSET[a*32+:32];
        for (r = 0; r < ROOTS; r = r + 1) if (ROOT[a*8+:8] == r[7:0]) root = roots_i[r*LANES*32+:LANES*32];
        for (r = 0; r < DATAS; r = r + 1) if (DATA[a*8+:8] == r[7:0]) data = datas_i[r*LANES*32+:LANES*32];
      end
    end
  end
  wire none = some == {ACCESSES{1'b0}};
  wire here = lanes != {LANES{1'b0}};
  assign access_o = valid_i && here;
  assign none_o   = valid_i && none;
  assign number_o = number;
  assign final_o  = !later;
  assign lanes_o  = lanes;
  assign data_o   = data;
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : lane
      assign address_o[l*32+:32] = root[l*32+:32] + offset;
    end
  endgenerate
  wire step = valid_i && !none && (!here || ready_i);
  assign take_o = none ? none_o && none_ready_i : step && !later;
  always @(posedge clk)
    if (rst) number <= 0;
    else if (step) number <= later ? number + 1'b1 : {ACCESS_BITS{1'b0}};
  wire unused = &{1'b0, LAST};
endmodule

`default_nettype wire
