// SPDX-License-Identifier: Apache-2.0
// Writes a piece of one page of the host's memory from the half of OUT that is not in BAR 0, each byte from its place
// in the page, in packets that end where an address is a multiple of the largest payload. A word a cycle; three or four
// words of header and one cycle between packets.
`default_nettype none

module dma_writer (
    input wire        clk,
    input wire        rst,
    input wire [15:0] id_i,          // the endpoint's
    input wire [15:0] max_payload_i, // bytes, a power of two from 128 to 4096

    input  wire        start_i,
    input  wire [63:0] address_i,
    input  wire [12:0] bytes_i,    // 1 to 4096, all in one page
    output reg         done_o,     // for one cycle: all of it has been given to tlp_sender.v

    // OUT: a word the cycle after its index
    output wire [11:2] out_index_o,
    input  wire [31:0] out_data_i,

    // to tlp_sender.v
    output wire        valid_o,
    input  wire        ready_i,
    output wire        last_o,
    output wire        is_data_o,
    output reg  [31:0] word_o
);
  localparam [2:0] IDLE = 3'd0, NEXT = 3'd1, FIRST = 3'd2, SECOND = 3'd3, HIGH = 3'd4, LOW = 3'd5, DATA = 3'd6;
  reg [ 2:0] state;
  reg [63:2] at;
  reg [10:0] left;  // words from here on
  reg [3:0] first_strobe, last_strobe;  // of the first word of this packet, and of the last of all
  reg [10:0] words, words_left;  // of this packet

  wire [10:0] most = max_payload_i[12:2];
  wire [10:0] to_end = most - ({1'b0, at[11:2]} & (most - 11'd1));
  wire four = at[63:32] != 0;
  wire [3:0] end_strobe = words == left ? last_strobe : 4'b1111;
  wire [12:0] all_bytes = {11'd0, address_i[1:0]} + bytes_i + 13'd3;
  wire [1:0] end_at = address_i[1:0] + bytes_i[1:0];

  assign out_index_o = at[11:2] + {9'd0, state == DATA && ready_i};
  assign valid_o = state >= FIRST;
  assign is_data_o = state == DATA;
  assign last_o = state == DATA && words_left == 1;
  always @*
    case (state)
      FIRST:   word_o = {2'b01, four, 5'b00000, 14'd0, words[9:0]};
      SECOND:  word_o = {id_i, 8'd0, words == 1 ? {4'b0000, first_strobe & end_strobe} : {end_strobe, first_strobe}};
      HIGH:    word_o = at[63:32];
      LOW:     word_o = {at[31:2], 2'b00};
      default: word_o = out_data_i;
    endcase

  always @(posedge clk) begin
    done_o <= 1'b0;
    case (state)
      IDLE: begin
        at <= address_i[63:2];
        left <= all_bytes[12:2];
        first_strobe <= 4'b1111 << address_i[1:0];
        last_strobe <= end_at == 0 ? 4'b1111 : ~(4'b1111 << end_at);
        if (start_i) state <= NEXT;
      end
      NEXT: begin
        words <= left < to_end ? left : to_end;
        words_left <= left < to_end ? left : to_end;
        state <= FIRST;
      end
      FIRST: if (ready_i) state <= SECOND;
      SECOND: if (ready_i) state <= four ? HIGH : LOW;
      HIGH: if (ready_i) state <= LOW;
      LOW: if (ready_i) state <= DATA;
      default:
      if (ready_i) begin
        at <= at + 62'd1;
        words_left <= words_left - 11'd1;
        if (last_o) begin
          left <= left - words;
          first_strobe <= 4'b1111;
          done_o <= left == words;
          state <= left == words ? IDLE : NEXT;
        end
      end
    endcase
    if (rst) state <= IDLE;
  end
  wire unused = &{1'b0, all_bytes[1:0], max_payload_i[15:13], max_payload_i[1:0]};
endmodule

`default_nettype wire
