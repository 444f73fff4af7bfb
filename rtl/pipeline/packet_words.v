// SPDX-License-Identifier: Apache-2.0
// Reads the words of a dispatch's packet that a kernel uses: ranges, sizes and arguments, from global memory, as beats.
// They stand until the next dispatch is read. A beat a cycle; ready_o SETTLE cycles after the last has come, when what
// is computed from them alone stands, too.
`default_nettype none

module packet_words #(
    parameter WORDS = 16,  // from the packet's first on
    parameter SETTLE = 4,  // 1 or more
    parameter GLOBAL_LOG2 = 28,  // log2 of the bytes of global memory
    parameter BEAT_LOG2 = 4,  // log2 of the bytes of a beat
    parameter BEAT_BYTES = 1 << BEAT_LOG2
) (
    input wire clk,
    input wire rst,

    input  wire        start_i,
    input  wire [31:0] packet_i,  // its address, a multiple of 64
    output reg         ready_o,
    output wire        reading_o,

    output wire                    request_valid_o,
    input  wire                    request_ready_i,
    output wire [ GLOBAL_LOG2-1:0] request_address_o,
    input  wire                    response_valid_i,
    input  wire [8*BEAT_BYTES-1:0] response_data_i,

    output wire [WORDS*32-1:0] words_o
);
  // Beats are aligned to their size, which may be more than the packet's alignment: the first may begin before it.
  localparam BEAT_WORDS = BEAT_BYTES / 4;
  localparam BEATS = (WORDS + BEAT_WORDS - 1) / BEAT_WORDS + (BEAT_BYTES > 64 ? 1 : 0);
  localparam COUNT_BITS = 8;
  localparam [COUNT_BITS-1:0] ALL = BEATS;
  reg [COUNT_BITS-1:0] asked, come;
  reg [GLOBAL_LOG2-1:0] address;
  reg [BEATS*BEAT_BYTES*8-1:0] beats;
  reg [7:0] settle;
  assign request_valid_o = asked != ALL;
  assign request_address_o = address;
  assign reading_o = come != ALL;
  integer r;
  always @(posedge clk) begin
    if (request_valid_o && request_ready_i) begin
      asked   <= asked + 1'b1;
      address <= address + BEAT_BYTES;
    end
    if (response_valid_i) begin
      come <= come + 1'b1;
      for (r = 0; r < BEATS; r = r + 1)
      if (come == r[COUNT_BITS-1:0]) beats[r*BEAT_BYTES*8+:BEAT_BYTES*8] <= response_data_i;
    end
    settle  <= reading_o ? SETTLE : settle == 0 ? settle : settle - 8'd1;
    ready_o <= !reading_o && settle == 0 && !start_i;
    if (start_i) begin
      {asked, come} <= 0;
      address <= {packet_i[GLOBAL_LOG2-1:BEAT_LOG2], {BEAT_LOG2{1'b0}}};
      settle <= SETTLE;
      ready_o <= 1'b0;
    end
    if (rst) begin
      {asked, come} <= {ALL, ALL};
      ready_o <= 1'b0;
    end
  end
  generate
    if (BEAT_BYTES > 64) begin : wide
      reg upper;  // the packet begins in the second half of its first beat
      always @(posedge clk) if (start_i) upper <= packet_i[6];
      assign words_o = upper ? beats[512+:WORDS*32] : beats[0+:WORDS*32];
    end else begin : narrow
      assign words_o = beats[0+:WORDS*32];
    end
  endgenerate
  wire unused = &{1'b0, packet_i, beats};
endmodule

`default_nettype wire
