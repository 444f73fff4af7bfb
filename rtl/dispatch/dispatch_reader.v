// SPDX-License-Identifier: Apache-2.0
// Reads the 32 words of a dispatch from global memory, as a burst of beats, one a cycle. done_o is the cycle after the
// last beat is received. The words are valid until the next dispatch is read. A dispatch outside global memory is not
// read: done_o and bad_o are the cycle after start_i.
`default_nettype none

module dispatch_reader #(
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter FIRST_LOG2 = 12,  // log2 of its first address
    parameter BEAT_LOG2 = 5,  // log2 of the bytes of a memory beat, 4 to 7
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire        start_i,    // pulse; not while a dispatch is being read
    input  wire [31:7] address_i,
    output reg         done_o,     // pulse
    output reg         bad_o,      // the address is outside global memory; valid until the next start

    // loads of beats, answered in order
    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    input  wire                    response_valid_i,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,

    // the dispatch
    output wire [  6:0] kind_o,            // of compute unit
    output wire [ 31:2] entry_o,
    output wire [ 31:0] packet_o,          // address of the packet
    output wire [  7:0] sub_group_log2_o,
    output wire [  6:0] domain_o,
    output wire [ 15:0] unit_mask_o,
    output wire [ 31:0] local_bytes_o,
    output wire [ 31:0] private_base_o,
    output wire [ 31:0] private_log2_o,
    output wire [ 63:0] budget_o,
    output wire [ 95:0] global_size_o,     // z, y, x
    output wire [ 95:0] global_offset_o,
    output wire [ 95:0] local_size_o,
    output wire [ 95:0] num_groups_o,
    output wire [ 31:7] next_o,            // of a chain: address of the next kernel's dispatch
    output wire [191:0] pipes_o            // of a chain: words 9 to 14
);
  localparam [31:0] BEATS = 128 / BEAT_BYTES;
  localparam COUNT_BITS = 8 - BEAT_LOG2;
  localparam [COUNT_BITS-1:0] ALL = BEATS[COUNT_BITS-1:0];
  reg [GLOBAL_LOG2-1:7] address;
  reg [COUNT_BITS-1:0] requested, received;  // beats so far
  reg [1023:0] words;
  wire [8*BEAT_BYTES+1023:0] shifted = {response_data_i, words};
  wire in_memory = address_i[31:GLOBAL_LOG2] == 0 && address_i[GLOBAL_LOG2-1:FIRST_LOG2] != 0;
  assign request_valid_o   = requested != ALL;
  assign request_address_o = {address, 7'd0} | ({{(GLOBAL_LOG2 - COUNT_BITS) {1'b0}}, requested} << BEAT_LOG2);
  always @(posedge clk) begin
    done_o <= (start_i && !in_memory) || (response_valid_i && received == ALL - 1'b1);
    if (request_valid_o && request_ready_i) requested <= requested + 1'b1;
    if (response_valid_i) begin
      received <= received + 1'b1;
      words <= shifted[8*BEAT_BYTES+:1024];  // the first beat ends up at the lowest words
    end
    if (start_i) begin
      bad_o   <= !in_memory;
      address <= address_i[GLOBAL_LOG2-1:7];
      if (in_memory) {requested, received} <= 0;
    end
    if (rst) begin
      done_o <= 1'b0;
      {requested, received} <= {ALL, ALL};
    end
  end

  localparam [31:0] PACKET = 64;
  assign entry_o = words[31:2];
  assign packet_o = {{(32 - GLOBAL_LOG2) {1'b0}}, address, 7'd0} | PACKET;
  assign sub_group_log2_o = words[32*1+:8];
  assign domain_o = words[32*1+8+:7];
  assign unit_mask_o = words[32*1+16+:16];
  assign local_bytes_o = words[32*2+:32];
  assign private_base_o = words[32*3+:32];
  assign private_log2_o = words[32*4+:32];
  assign kind_o = words[32*7+:7];
  assign budget_o = words[32*5+:64];
  assign global_size_o = words[32*17+:96];
  assign global_offset_o = words[32*20+:96];
  assign local_size_o = words[32*23+:96];
  assign num_groups_o = words[32*26+:96];
  assign next_o = words[32*8+7+:25];
  assign pipes_o = words[32*9+:192];
  wire unused = &{1'b0, shifted};
endmodule

`default_nettype wire
